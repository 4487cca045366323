import type { en } from "./en.js";

// English defines the messages. Every other language has the type Messages, so one that lacks a message, or has one
// that English does not have, does not compile.

type English = typeof en;

/** The keys of all messages. */
export type Key = keyof English;

/** A message whose form depends on a number, by the categories of Unicode that the language has. */
export type Plural = { readonly [C in Intl.LDMLPluralRule]?: string } & { readonly other: string };

/** The translation of a part of the English messages. */
export type Translated<Part> = { readonly [K in keyof Part]: Part[K] extends string ? string : Plural };

/** All messages in one language. */
export type Messages = Translated<English>;

type TextOf<K extends Key> = English[K] extends string ? English[K] : Extract<English[K][keyof English[K]], string>;
type NamesIn<S extends string> = S extends `${string}{${infer N}}${infer Rest}` ? N | NamesIn<Rest> : never;
type TagsIn<S extends string> = S extends `${string}</${infer N}>${infer Rest}` ? N | TagsIn<Rest> : never;

/** The names of a message's placeholders: {name}. A message with plural forms also needs count. */
export type Names<K extends Key> = NamesIn<TextOf<K>> | (English[K] extends string ? never : "count");

/** The names of a message's elements: <name>text</name>. */
export type Tags<K extends Key> = TagsIn<TextOf<K>>;
