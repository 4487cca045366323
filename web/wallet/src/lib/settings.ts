import type { EngineOptions, Network } from "./engine.js";
import { embedded } from "./engine.js";
import type { Platform } from "./platform.js";

/** What a person chose. Nothing here is secret: a node's password is asked for and not kept. */
export interface Settings {
  network: Network;
  /** http(s)://host:port, embedded: for the private chain, or empty for none. */
  node: string;
  nodeUser: string;
  trusted: boolean;
  theme: "auto" | "light" | "dark";
  /** Minutes without a touch until the wallet locks; 0 never. */
  autoLock: number;
  /** Workers that scan; 0 lets the engine choose. */
  workers: number;
  /** The wallet opened last. */
  last: string;
}

export const defaults: Settings = {
  network: "mainnet",
  node: "http://127.0.0.1:18081",
  nodeUser: "",
  trusted: false,
  theme: "auto",
  autoLock: 10,
  workers: 0,
  last: "",
};

const key = "settings";

/** Reads the settings kept; what is missing or not what it should be is as in defaults. */
export async function load(platform: Platform): Promise<Settings> {
  let kept: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse((await platform.read(key)) ?? "{}");
    if (typeof value === "object" && value !== null) kept = value as Record<string, unknown>;
  } catch {
    // Settings that cannot be read are replaced by the next that are kept.
  }
  const settings = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof Settings)[]) {
    if (typeof kept[name] === typeof defaults[name]) Object.assign(settings, { [name]: kept[name] });
  }
  if (!["mainnet", "stagenet", "testnet", "regtest"].includes(settings.network)) settings.network = defaults.network;
  if (!["auto", "light", "dark"].includes(settings.theme)) settings.theme = defaults.theme;
  return settings;
}

export function keep(platform: Platform, settings: Settings): Promise<void> {
  return platform.write(key, JSON.stringify(settings));
}

/** Whether the wallet lives on the private chain in the page. */
export function playing(settings: Pick<Settings, "node">): boolean {
  return settings.node === embedded;
}

/** Returns what an engine with these settings starts with. Each network keeps its wallets apart. */
export function engineOptions(settings: Settings, nodePassword: string): EngineOptions {
  const play = playing(settings);
  const network = play ? "regtest" : settings.network;
  return {
    network,
    daemon: play ? { address: embedded, trusted: true } : { address: settings.node, username: settings.nodeUser, password: nodePassword, trusted: settings.trusted },
    // The private chain ends with the page, and so do the wallets that live on it.
    database: play ? "" : network === "mainnet" ? "glim" : `glim-${network}`,
    // Passwords there guard nothing: deriving their keys need not take long.
    ...(play ? { kdf: { time: 1, memory: 1024 } } : {}),
    ...(settings.workers > 0 ? { workers: settings.workers } : {}),
  };
}

/** Writes a node's address as the engine wants it: with a scheme, without a slash at the end. Undefined for what is none. */
export function nodeAddress(text: string): string | undefined {
  let t = text.trim();
  if (t === "" || t === embedded) return t;
  if (!/^[a-z]+:\/\//i.test(t)) t = (/^(localhost|127\.|\[::1\]|10\.|192\.168\.)/.test(t) ? "http://" : "https://") + t;
  try {
    const url = new URL(t);
    if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
    if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return undefined;
    return url.href.replace(/\/+$/, "");
  } catch {
    return undefined;
  }
}
