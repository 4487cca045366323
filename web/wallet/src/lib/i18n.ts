import { en } from "../messages/en.js";
import { languages, rightToLeft, translations, type Language } from "../messages/languages.js";
import type { Key, Messages, Tags, Names } from "../messages/types.js";

export type { Key } from "../messages/types.js";
export type { Language } from "../messages/languages.js";

/** The keys of the messages without elements. Text shows the others. */
export type TextKey = { [K in Key]: [Tags<K>] extends [never] ? K : never }[Key];

/** The keys of the messages that need no values, for tables of names. */
export type PlainKey = { [K in TextKey]: [Names<K>] extends [never] ? K : never }[TextKey];

/** A value in a message. Numbers are written in the way of the language. */
export type Value = string | number | bigint;

/** The values that a message needs, by their names; nothing if it needs none. */
export type Values<K extends Key> = [Names<K>] extends [never] ? [] : [values: { readonly [N in Names<K>]: Value }];

/** The language in use: its messages, and its locale for numbers and dates. */
let messages: Messages = en;
let language: Language = "en";
let locale = "en";
let plurals = new Intl.PluralRules(locale);
let numbers = new Intl.NumberFormat(locale);
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the languages that the browser prefers, the best first. */
function preferred(): readonly string[] {
  return typeof navigator === "undefined" ? [] : (navigator.languages ?? []);
}

/** Returns the language in which the app speaks if the user wants choice, which may be "auto". */
export function languageFor(choice: string, wanted: readonly string[] = preferred()): Language {
  for (const tag of choice === "auto" ? wanted : [choice]) {
    const base = tag.toLowerCase().split(/[-_]/)[0] ?? "";
    const known = languages.find(([code]) => code === base);
    if (known) return known[0];
  }
  return "en";
}

/**
 * Loads a language and uses it from now on; "auto" means the browser's. What is already on the screen changes when it
 * is rendered again. If the language cannot be loaded, for example without a connection, the present one stays.
 */
export async function speak(choice: string): Promise<void> {
  const next = languageFor(choice);
  try {
    use(next, next === "en" ? en : (await translations[next].load()).messages);
  } catch {
    use(language, messages);
  }
}

/** Uses messages that are loaded. */
export function use(next: Language, loaded: Messages): void {
  language = next;
  messages = loaded;
  // The browser may name a country as well, which decides on the form of numbers and dates.
  locale = preferred().find((tag) => languageFor(tag, []) === next && tag.toLowerCase().startsWith(next)) ?? next;
  plurals = new Intl.PluralRules(locale);
  numbers = new Intl.NumberFormat(locale);
  formats.clear();
  if (typeof document === "undefined") return;
  document.documentElement.lang = next;
  document.documentElement.dir = rightToLeft.has(next) ? "rtl" : "ltr";
}

/** Returns the text of a message in the language in use. */
export function t<K extends TextKey>(key: K, ...[values]: Values<K>): string {
  return fill(textOf(key, values), values);
}

/** Returns the message of a key with its placeholders. Of a message with plural forms, count selects one. */
export function textOf(key: Key, values: Readonly<Record<string, unknown>> | undefined): string {
  const message = messages[key];
  if (typeof message === "string") return message;
  return message[plurals.select(Number(values?.count ?? 0))] ?? message.other;
}

/** Replaces the placeholders of a text. */
export function fill(text: string, values: Readonly<Record<string, Value>> | undefined): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => written(values?.[name] ?? ""));
}

/** Returns a value as text. In a text from right to left, a name or an address keeps its own direction. */
export function written(value: Value): string {
  if (typeof value !== "string") return numbers.format(value);
  return rightToLeft.has(language) && value !== "" ? `\u2068${value}\u2069` : value;
}

/** Returns a whole number in the way of the language. */
export function number(value: number | bigint): string {
  return numbers.format(value);
}

/** Returns a number with its unit, for example "5 minutes". */
export function withUnit(value: number, unit: "minute" | "hour" | "day" | "byte" | "millisecond"): string {
  const unitDisplay = unit === "millisecond" ? "short" : "long";
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay }).format(value);
}

/** Returns a date or a time in the way of the language. */
export function dated(date: Date | number, form: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(form);
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, form);
    formats.set(key, format);
  }
  return format.format(date);
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** Returns how long ago a time was in words: now, 3 days ago. */
export function ago(date: Date, now = Date.now()): string {
  const past = Math.max(0, now - date.getTime());
  const [unit, length] = units.find(([, length]) => past >= length) ?? ["second", Number.POSITIVE_INFINITY];
  const format = new Intl.RelativeTimeFormat(locale, { numeric: unit === "second" ? "auto" : "always" });
  return format.format(-Math.floor(past / length), unit);
}

/** Returns an amount of a currency, by its code of ISO 4217, in the way of the language. */
export function money(value: number, currency: string): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(value);
}

/** Returns "today" or "yesterday" as the beginning of a line. */
export function relativeDay(days: 0 | -1): string {
  const text = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}

/** Returns the language in use. */
export function spoken(): Language {
  return language;
}
