import type { Messages } from "./types.js";

/** The languages besides English, each a file of its own that is loaded when it is used. */
export const loaders = {} satisfies Record<string, () => Promise<Messages>>;

export type Language = "en" | keyof typeof loaders;

/** The languages that are written from right to left. */
export const rightToLeft: ReadonlySet<string> = new Set<string>(["ar", "fa", "he", "ur"]);
