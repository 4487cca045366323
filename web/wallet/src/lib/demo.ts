import { embedded } from "./engine.js";
import type { Platform } from "./platform.js";
import { defaults, load, type Settings } from "./settings.js";

// The demo has storage of its own: the user's settings and wallets stay as they are.

/** The names of the demo's two wallets: the user's, and the one that answers payments. */
export const names = { own: "Play wallet", other: "Corner café" } as const;

/** Where the demo's wallets and its chain are stored, see StartOptions of the package glim. */
export const demoStorage = { database: "glim-demo", chain: "glim-demo" } as const;

/** The IndexedDB databases of the demo. */
export const demoDatabases = [`glim:${demoStorage.database}`, `glim-chain:${demoStorage.chain}`] as const;

/** Under this key is the state of the demo: "making", "ready", or nothing. All other keys of the demo begin with it. */
export const demoKey = "demo";

/** What the pages may do about the demo. */
export interface DemoMode {
  /** Records that the demo's wallets are complete. */
  made(): Promise<void>;
  /** Whether they are. */
  ready(): Promise<boolean>;
  /** Deletes everything that the demo stored, and begins it anew. */
  again(): Promise<void>;
  /** Deletes everything that the demo stored, and returns to the user's own wallets. */
  end(): Promise<void>;
}

/** Returns a platform that stores the demo's settings under their own keys. */
export function demoPlatform(platform: Platform): Platform {
  return {
    ...platform,
    read: (key) => platform.read(`${demoKey}.${key}`),
    write: (key, value) => platform.write(`${demoKey}.${key}`, value),
  };
}

/** Returns the settings of the demo: its chain is in the page, and it never locks. The rest is as stored. */
export async function demoSettings(platform: Platform): Promise<Settings> {
  return { ...(await load(platform)), ...fixed };
}

const fixed = { network: defaults.network, public: false, node: embedded, nodeUser: "", autoLock: 0, last: "" };

/** Stores the settings that the demo takes over from the user: how the app looks and speaks. */
export function takeOver(platform: Platform, { theme, language }: Settings): Promise<void> {
  return demoPlatform(platform).write("settings", JSON.stringify({ ...defaults, ...fixed, theme, language }));
}
