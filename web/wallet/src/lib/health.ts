import { checkNode, judgeInfo, type NodeCheck, type NodesInUse, type NodeState } from "glim";
import { t } from "./i18n.js";
import type { Engine } from "./engine.js";
import type { Platform } from "./platform.js";
import { playing, usesPublic, type Settings } from "./settings.js";

/** The result of checking a node, or the public node in use. */
export interface Health extends Omit<NodeCheck, "state"> {
  state: NodeState | "guarded" | "forbidden" | "unusable" | "none";
  /** The public nodes, if the wallet uses them. */
  nodes?: NodesInUse;
}

const nothing: Health = {
  state: "none",
  address: "",
  height: 0,
  target: 0,
  network: "",
  version: "",
  latency: 0,
};

/** What a check may take into account besides the settings. */
export interface Around {
  engine: Engine | undefined;
  platform: Pick<Platform, "allowed" | "desktop">;
  signal?: AbortSignal;
  /** Whether to ask all public nodes again. */
  again?: boolean;
}

/** Checks the node, or the public nodes. It does not throw: problems are part of the result. */
export async function health(settings: Settings, around: Around): Promise<Health> {
  const { engine, platform, signal } = around;
  if (playing(settings)) {
    if (!engine) return nothing;
    try {
      return judgeInfo(settings.node, { ...(await engine.daemon.getInfo()) }, "regtest", 0);
    } catch {
      return { ...nothing, state: "unreachable" };
    }
  }
  if (usesPublic(settings)) {
    if (!engine) return nothing;
    try {
      return ofNodes(await engine.nodes(around.again));
    } catch {
      return { ...nothing, state: "unusable" };
    }
  }
  if (settings.node === "") return nothing;
  if (platform.allowed && !(await platform.allowed([settings.node]))) return { ...nothing, state: "forbidden" };
  const found = platform.desktop
    ? await platform.desktop.check(settings, signal)
    : await checkNode(settings.node, settings.network, signal ? { signal } : {});
  return found.state === "login" && settings.nodeUser !== "" ? { ...found, state: "guarded" } : found;
}

/** Returns the state of the public node in use. */
export function ofNodes(nodes: NodesInUse): Health {
  const used = nodes.nodes.find((n) => n.address === nodes.first);
  if (used) return { ...used, nodes };
  const { length } = nodes.nodes;
  const offline = length > 0 && nodes.nodes.every((n) => n.state === "offline");
  return { ...nothing, state: offline ? "offline" : length === 0 ? "forbidden" : "unusable", nodes };
}

/** Returns how many blocks a node has or, while it catches up, knows of; 0 if this is unknown. */
export function chainLength(h: Health | undefined): number {
  return h?.state === "good" || h?.state === "behind" ? h.target : 0;
}

/** Returns the state of a public node in a list, in a few words. */
export function stateWords(state: NodeState): string {
  return t(`nodeState.${state}`);
}

type Words = { title: string; next: string; tone: "good" | "warn" | "bad" };

const tones: Record<Health["state"], Words["tone"]> = {
  good: "good",
  behind: "warn",
  ahead: "bad",
  "wrong-network": "bad",
  cors: "bad",
  login: "warn",
  guarded: "warn",
  odd: "bad",
  mixed: "bad",
  offline: "warn",
  unreachable: "bad",
  forbidden: "warn",
  unusable: "bad",
  unasked: "warn",
  none: "warn",
};

/** Returns what a state means, and what to do. */
export function healthWords(state: Health["state"]): Words {
  const next = state === "unasked" ? "" : t(`healthNext.${state}`);
  return { title: t(`health.${state}`), next, tone: tones[state] };
}

/** Returns what a state means and what to do; without a usable public node, also why each of them cannot be used. */
export function explain(h: Health): Words {
  const words = healthWords(h.state);
  const { nodes = [] } = h.nodes ?? {};
  if (h.nodes && nodes.length === 0) return { title: t("node.noneYet"), next: t("node.noneYetNext"), tone: "warn" };
  if (h.state !== "unusable" || nodes.length === 0) return words;
  const counts = new Map<NodeState, number>();
  for (const { state } of nodes) counts.set(state, (counts.get(state) ?? 0) + 1);
  const causes = [...counts].map(([state, count]) => t("node.cause", { cause: stateWords(state), number: count }));
  return { ...words, next: [...causes, words.next].join(" ") };
}
