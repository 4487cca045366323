import { checkNode, judgeInfo, type NodeCheck, type NodesInUse, type NodeState } from "glim";
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
  platform: Pick<Platform, "allowed">;
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
  const found = await checkNode(settings.node, settings.network, signal ? { signal } : {});
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

/** The state of a public node in a list, in a few words. */
export const stateWords: Record<NodeState, string> = {
  good: "Works",
  behind: "Behind the others",
  ahead: "Claims more blocks than the others",
  "wrong-network": "On another network",
  cors: "Does not allow web pages (CORS)",
  login: "Requires a login",
  odd: "Does not answer like a Monero node",
  mixed: "Not encrypted, so the browser does not allow it",
  offline: "You are offline",
  unreachable: "Cannot be reached",
  unasked: "Not asked: enough others work",
};

type Words = { title: string; next: string; tone: "good" | "warn" | "bad" };

/** What each state means, and what to do. */
export const healthWords: Record<Health["state"], Words> = {
  good: { title: "Connected", next: "The node answers and is up to date.", tone: "good" },
  behind: {
    title: "The node is catching up",
    next: "It does not have the newest blocks yet. New payments appear once it does.",
    tone: "warn",
  },
  ahead: {
    title: "The node disagrees with the others",
    next: "It claims more blocks than they have. Choose another node.",
    tone: "bad",
  },
  "wrong-network": {
    title: "The node is on another network",
    next: "Choose the same network as the node, or another node.",
    tone: "bad",
  },
  cors: {
    title: "The node does not allow web pages to use it",
    next:
      "It answers, but without CORS headers, like most public nodes. Put a glim daemon or a gateway in front of it: " +
      "the node settings show the command.",
    tone: "bad",
  },
  login: { title: "The node requires a login", next: "Enter its user name and password.", tone: "warn" },
  guarded: {
    title: "The node is behind a login",
    next:
      "It answers. Whether your login is right shows when the wallet scans the chain. After reloading the page, " +
      "enter the password again.",
    tone: "warn",
  },
  odd: {
    title: "This does not answer like a Monero node",
    next: "Check the address and the port. Public nodes usually use port 18089 or 443.",
    tone: "bad",
  },
  mixed: {
    title: "The browser does not allow this node here",
    next: "A page loaded over https can only use nodes over https, or on this device. Use an https address.",
    tone: "bad",
  },
  offline: {
    title: "You are offline",
    next: "The wallet shows what it knows, and continues by itself once you are online.",
    tone: "warn",
  },
  unreachable: {
    title: "The node cannot be reached",
    next: "Check the address, or choose another node. It may be switched off or overloaded.",
    tone: "bad",
  },
  forbidden: {
    title: "The wallet may not use this node yet",
    next: "The browser asks you to allow each node. Choose it again, and allow it.",
    tone: "warn",
  },
  unusable: {
    title: "No public node can be used",
    next: "Use your own node, or try again later.",
    tone: "bad",
  },
  unasked: { title: "Checking the node", next: "", tone: "warn" },
  none: { title: "No node", next: "Choose a node to see your balance and to send.", tone: "warn" },
};

/** Returns what a state means and what to do; without a usable public node, also why each of them cannot be used. */
export function explain(h: Health): Words {
  const words = healthWords[h.state];
  const { nodes = [] } = h.nodes ?? {};
  if (h.nodes && nodes.length === 0)
    return {
      title: "No public node is available yet",
      next: "The list for this network is empty, or you have not allowed its nodes. Use your own node, or allow them.",
      tone: "warn",
    };
  if (h.state !== "unusable" || nodes.length === 0) return words;
  const counts = new Map<string, number>();
  for (const { state } of nodes) counts.set(stateWords[state], (counts.get(stateWords[state]) ?? 0) + 1);
  const causes = [...counts].map(([text, n]) => `${text}: ${n}`).join(". ");
  return { ...words, next: `${causes}. ${words.next}` };
}
