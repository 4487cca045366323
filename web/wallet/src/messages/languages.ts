import type { Messages } from "./types.js";

/**
 * The languages besides English, which is built in, with their own names. Each is a file of its own that is loaded when
 * it is used. They are those of the words of Monero's seeds.
 */
export const translations = {
  de: { name: "Deutsch", load: () => import("./de.js") },
  es: { name: "Español", load: () => import("./es.js") },
  fr: { name: "Français", load: () => import("./fr.js") },
  it: { name: "Italiano", load: () => import("./it.js") },
  ja: { name: "日本語", load: () => import("./ja.js") },
  ko: { name: "한국어", load: () => import("./ko.js") },
  nl: { name: "Nederlands", load: () => import("./nl.js") },
  pt: { name: "Português", load: () => import("./pt.js") },
  ru: { name: "Русский", load: () => import("./ru.js") },
  zh: { name: "中文", load: () => import("./zh.js") },
} satisfies Record<string, { name: string; load: () => Promise<{ messages: Messages }> }>;

/** A language of the app, by its code in ISO 639-1. */
export type Language = "en" | keyof typeof translations;

/** All languages with their own names, by which people find theirs in any language. */
export const languages: readonly (readonly [Language, string])[] = [
  ["en", "English"],
  ...Object.entries(translations).map(([code, { name }]) => [code as Language, name] as const),
];

/** The languages that are written from right to left. None is translated yet; the layout is ready for them. */
export const rightToLeft: ReadonlySet<string> = new Set(["ar", "fa", "he", "ur"]);
