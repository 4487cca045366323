import type { EngineOptions, Network, NodeList } from "./engine.js";
import { embedded } from "./engine.js";
import type { Platform } from "./platform.js";

/** The user's settings. They contain no secrets: a node's password is asked for and not stored. */
export interface Settings {
  network: Network;
  /** Whether the wallet uses public nodes in place of node. */
  public: boolean;
  /** http(s)://host:port, embedded: for the private chain, or empty for none. */
  node: string;
  nodeUser: string;
  trusted: boolean;
  /** http(s)://host:port of the node that receives the transactions; empty for the one that is read. */
  sending: string;
  theme: "auto" | "light" | "dark";
  /** The language of the app, by its ISO 639 code; "auto" means the browser's. */
  language: string;
  /** Minutes without input until the wallet is locked; 0 means never. */
  autoLock: number;
  /** Number of scanning workers; 0 lets the engine choose. */
  workers: number;
  /** Source of the rate for fiat amounts, as in rates.json; empty while they are off. */
  rates: string;
  /** The currency of fiat amounts, as in ISO 4217. */
  currency: string;
  /** The address of the resolver for DNS over HTTPS that looks up OpenAlias names; empty while they are off. */
  resolver: string;
  /** How the extension tells of incoming payments: not, by a badge, or by notifications without or with amounts. */
  notices: "off" | "badge" | "plain" | "amounts";
  /** The wallet that was opened last. */
  last: string;
}

export const defaults: Settings = {
  network: "mainnet",
  public: true,
  node: "http://127.0.0.1:18081",
  nodeUser: "",
  trusted: false,
  sending: "",
  theme: "auto",
  language: "auto",
  autoLock: 10,
  workers: 0,
  rates: "",
  currency: "USD",
  resolver: "",
  notices: "badge",
  last: "",
};

const key = "settings";

/** Reads the stored settings; missing or invalid ones get their default. */
export async function load(platform: Platform): Promise<Settings> {
  let kept: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse((await platform.read(key)) ?? "{}");
    if (typeof value === "object" && value !== null) kept = value as Record<string, unknown>;
  } catch {
    // Unreadable settings are replaced when settings are next stored.
  }
  const settings = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof Settings)[]) {
    if (typeof kept[name] === typeof defaults[name]) Object.assign(settings, { [name]: kept[name] });
  }
  // Settings from before there was a list name the user's own node.
  if (typeof kept.node === "string" && typeof kept.public !== "boolean") settings.public = false;
  if (!["mainnet", "stagenet", "testnet", "regtest"].includes(settings.network)) settings.network = defaults.network;
  if (!["off", "badge", "plain", "amounts"].includes(settings.notices)) settings.notices = defaults.notices;
  if (!["auto", "light", "dark"].includes(settings.theme)) settings.theme = defaults.theme;
  return settings;
}

export function keep(platform: Platform, settings: Settings): Promise<void> {
  return platform.write(key, JSON.stringify(settings));
}

/** Whether the wallet is on the private chain in the page. */
export function playing(settings: Pick<Settings, "node">): boolean {
  return settings.node === embedded;
}

/** Returns the network of the wallet. */
export const networkOf = (settings: Pick<Settings, "network" | "node">): Network =>
  playing(settings) ? "regtest" : settings.network;

/** Whether the wallet uses public nodes. */
export function usesPublic(settings: Pick<Settings, "node" | "public">): boolean {
  return settings.public && !playing(settings);
}

/** Returns the node that receives the transactions, if it is another than the one that is read. */
export const sendingNode = (settings: Pick<Settings, "node" | "public" | "sending">): string =>
  playing(settings) || (!settings.public && (settings.node === "" || settings.node === settings.sending))
    ? ""
    : settings.sending;

/** Returns the database with the wallets of a network, except those of the private chain in the page. */
export const databaseOf = (network: string): string => (network === "mainnet" ? "glim" : `glim-${network}`);

/**
 * Returns the engine options for these settings and the public nodes. Each network has its own wallets. kept says where
 * a private chain and its wallets are stored; without it they are in memory.
 */
export function engineOptions(
  settings: Settings,
  nodePassword: string,
  nodes: NodeList = { addresses: [] },
  kept?: { database: string; chain: string },
): EngineOptions {
  const play = playing(settings);
  const network = networkOf(settings);
  return {
    network,
    ...(usesPublic(settings)
      ? { nodes }
      : {
          daemon: play
            ? { address: embedded, trusted: true }
            : {
                address: settings.node,
                username: settings.nodeUser,
                password: nodePassword,
                trusted: settings.trusted,
              },
        }),
    ...(sendingNode(settings) && { sending: sendingNode(settings) }),
    // Otherwise the private chain ends with the page, and with it the wallets on it.
    ...(play ? { database: "", ...kept } : { database: databaseOf(network) }),
    // Passwords protect nothing there, so their keys may be derived quickly.
    ...(play ? { kdf: { time: 1, memory: 1024 } } : {}),
    ...(settings.workers > 0 ? { workers: settings.workers } : {}),
  };
}

/** Completes a node's address: adds a scheme and removes a trailing slash. Returns undefined if it is invalid. */
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

/** Completes the address of the node for sending like nodeAddress, and refuses the private chain in the page. */
export function sendingAddress(text: string): string | undefined {
  const address = nodeAddress(text);
  return address === embedded ? undefined : address;
}

/**
 * Completes the address of a resolver for DNS over HTTPS: adds https:// if it has no scheme. Returns "" for none, and
 * undefined if the address is invalid. http: is accepted only for this machine.
 */
export function resolverAddress(text: string): string | undefined {
  let t = text.trim();
  if (t === "") return "";
  if (!/^[a-z]+:\/\//i.test(t)) t = `https://${t}`;
  if (!URL.canParse(t)) return undefined;
  const url = new URL(t);
  const local = url.protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (!(url.protocol === "https:" || local) || url.username !== "" || url.password !== "" || url.hash !== "")
    return undefined;
  return url.href;
}
