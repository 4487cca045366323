import type { Engine } from "./engine.js";
import { playing, type Settings } from "./settings.js";

/** How a node is. */
export interface Health {
  state: "good" | "behind" | "wrong-network" | "cors" | "login" | "guarded" | "odd" | "mixed" | "offline" | "unreachable" | "none";
  /** Blocks it has, and blocks it knows of; 0 where it did not say. */
  height: number;
  target: number;
  network: string;
  version: string;
  /** Milliseconds a short answer took. */
  latency: number;
}

const limit = 64 * 1024;

/** Asks a node how it is. It does not fail: what is wrong is the answer. */
export async function health(settings: Settings, engine: Engine | undefined, signal?: AbortSignal): Promise<Health> {
  const nothing: Health = { state: "none", height: 0, target: 0, network: "", version: "", latency: 0 };
  if (settings.node === "") return nothing;
  const began = performance.now();
  const judge = (info: Record<string, unknown>, want: string): Health => {
    const height = Number(info.height ?? 0);
    const target = Math.max(height, Number(info.target_height ?? 0));
    const network = String(info.nettype ?? "");
    const synchronized = info.synchronized !== false;
    const state = !Number.isFinite(height) || height < 1 ? "odd" : network !== want ? "wrong-network" : synchronized ? "good" : "behind";
    return { state, height, target, network, version: String(info.version ?? ""), latency: Math.round(performance.now() - began) };
  };
  if (playing(settings)) {
    if (!engine) return nothing;
    try {
      return judge({ ...(await engine.daemon.getInfo()) }, "fakechain");
    } catch {
      return { ...nothing, state: "unreachable" };
    }
  }
  if (location.protocol === "https:" && settings.node.startsWith("http:") && !/^http:\/\/(localhost|127\.|\[::1\])/.test(settings.node)) {
    return { ...nothing, state: "mixed" };
  }
  const url = `${settings.node}/get_info`;
  const within = AbortSignal.any([AbortSignal.timeout(15_000), ...(signal ? [signal] : [])]);
  try {
    const answer = await fetch(url, { signal: within, credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" });
    if (answer.status === 401) return { ...nothing, state: settings.nodeUser === "" ? "login" : "guarded" };
    const text = await answer.text();
    if (!answer.ok || text.length > limit) return { ...nothing, state: "odd" };
    const info: unknown = JSON.parse(text);
    if (typeof info !== "object" || info === null) return { ...nothing, state: "odd" };
    return judge(info as Record<string, unknown>, settings.network === "regtest" ? "fakechain" : settings.network);
  } catch (e) {
    if (e instanceof SyntaxError) return { ...nothing, state: "odd" };
    if (!navigator.onLine) return { ...nothing, state: "offline" };
    // A browser does not say why it refused. When the same request succeeds without its answer being readable, the node is there and
    // only does not let web pages read it.
    try {
      await fetch(url, { signal: within, mode: "no-cors", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" });
      return { ...nothing, state: "cors" };
    } catch {
      return { ...nothing, state: "unreachable" };
    }
  }
}

/** What each state means, and what to do. */
export const healthWords: Record<Health["state"], { title: string; next: string; tone: "good" | "warn" | "bad" }> = {
  good: { title: "Connected", next: "The node answers and is up to date.", tone: "good" },
  behind: { title: "The node is catching up", next: "It does not know the newest blocks yet. Payments show when it does.", tone: "warn" },
  "wrong-network": { title: "The node is on another network", next: "Choose the network it is on, or another node.", tone: "bad" },
  cors: {
    title: "The node does not let web pages read it",
    next: "It is there, but it sends no CORS headers, as most public nodes do not. A glim daemon in front of it does, and so does a gateway: the settings of the node show the command.",
    tone: "bad",
  },
  login: { title: "The node asks for a login", next: "Enter its user name and password.", tone: "warn" },
  guarded: { title: "The node is behind a login", next: "It is there. Whether it takes yours shows when the wallet reads the chain; enter the password again after a reload.", tone: "warn" },
  odd: { title: "That does not answer like a Monero node", next: "Check the address and the port. Restricted public ports are 18089 or 443.", tone: "bad" },
  mixed: { title: "The browser does not allow this node here", next: "A page over https reaches nodes over https only, or on this machine. Use an https address.", tone: "bad" },
  offline: { title: "You are offline", next: "The wallet shows what it knows and goes on by itself.", tone: "warn" },
  unreachable: { title: "The node cannot be reached", next: "Check the address, or choose another node. It may be switched off or too busy.", tone: "bad" },
  none: { title: "No node", next: "Choose a node to see your money and to send.", tone: "warn" },
};
