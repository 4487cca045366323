import type { Platform } from "./platform.js";

/** A text in English and perhaps in other languages, by their codes. */
export type Texts = Readonly<Record<string, string>>;

/** A source of exchange rates, as in public/rates.json. */
export interface RateSource {
  id: string;
  name: string;
  /** With {currency} or {CURRENCY} in place of the currency's code. */
  url: string;
  /** Where the rate is in the response: names and positions from its root; "*" is the only or the first member. */
  rate: readonly (string | number)[];
  /** The codes of its currencies, as in ISO 4217. */
  currencies: readonly string[];
  /** What the source can see. */
  sees: Texts;
  /** The address of its terms. */
  terms: string;
  note: Texts;
}

/** What one XMR costs. */
export interface Rate {
  /** The name of the source. */
  source: string;
  /** Code of the currency. */
  currency: string;
  /** The price of one XMR in 1/100,000,000 of the currency. */
  price: bigint;
  /** When the source was asked, in milliseconds since 1970. */
  at: number;
}

/** The decimals of a price. */
const scale = 100_000_000n;
const atomicUnits = 1_000_000_000_000n;
/** An amount of XMR from a fiat amount is rounded to this many atomic units, which is less than the rate is precise. */
const precision = 1_000_000n;

/** How often a source is asked at most, in milliseconds. */
export const interval = 300_000;
/** From this age on a rate is marked as old. */
export const staleAfter = 900_000;
/** From this age on a rate is no longer used. */
const uselessAfter = 86_400_000;

/** Reads the list of sources. Entries that are not complete are left out. */
export function readSources(text: string): RateSource[] {
  const file: unknown = JSON.parse(text);
  const list = isObject(file) && Array.isArray(file.sources) ? (file.sources as unknown[]) : [];
  return list.flatMap((entry) => {
    if (!isObject(entry)) return [];
    const { id, name, url, rate, currencies, sees, terms, note } = entry;
    if (![id, name, url].every((v) => typeof v === "string" && v !== "")) return [];
    if (!isTexts(sees) || !sees.en) return [];
    if (!URL.canParse(url as string) || !/^https?:$/.test(new URL(url as string).protocol)) return [];
    if (!Array.isArray(rate) || !rate.every((s) => typeof s === "string" || typeof s === "number")) return [];
    if (!Array.isArray(currencies) || currencies.length === 0) return [];
    if (!currencies.every((c) => typeof c === "string" && /^[A-Z]{3}$/.test(c))) return [];
    return [
      {
        id: id as string,
        name: name as string,
        url: url as string,
        rate: rate as (string | number)[],
        currencies: currencies as string[],
        sees,
        terms: typeof terms === "string" ? terms : "",
        note: isTexts(note) ? note : {},
      },
    ];
  });
}

/** Fetches the list that is served next to the page. Without one, there are no sources. */
export async function fetchSources(): Promise<RateSource[]> {
  try {
    const response = await fetch("./rates.json", { cache: "no-cache" });
    return response.ok ? readSources(await response.text()) : [];
  } catch {
    return [];
  }
}

/** Returns the address that is asked. It contains nothing but the currency. */
export function addressOf(source: RateSource, currency: string): string {
  return fill(source.url, currency);
}

function fill(text: string, currency: string): string {
  return text.replaceAll("{currency}", currency.toLowerCase()).replaceAll("{CURRENCY}", currency);
}

/** Finds the price in a response. Returns undefined if the response has no price. */
export function findPrice(response: string, source: RateSource, currency: string): bigint | undefined {
  let at: unknown;
  try {
    at = JSON.parse(response);
  } catch {
    return undefined;
  }
  for (const step of source.rate) {
    if (typeof at !== "object" || at === null) return undefined;
    const name = typeof step === "number" ? String(step) : fill(step, currency);
    at =
      step === "*" ? Object.values(at)[0] : Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined;
  }
  const text = typeof at === "number" && Number.isFinite(at) ? at.toFixed(8) : at;
  if (typeof text !== "string" || !/^\d{1,12}(\.\d{1,20})?$/.test(text)) return undefined;
  const [whole = "", rest = ""] = text.split(".");
  const price = BigInt(whole) * scale + BigInt(rest.slice(0, 8).padEnd(8, "0"));
  return price > 0n ? price : undefined;
}

/** Asks a source for its rate. The request carries no cookies, no referrer and nothing about the wallet. */
export async function askRate(source: RateSource, currency: string, now = Date.now): Promise<Rate> {
  const response = await fetch(addressOf(source, currency), {
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
    redirect: "error",
    signal: AbortSignal.timeout(20_000),
  });
  if (!response.ok) throw new Error(`the source answered with ${response.status}`);
  const price = findPrice(await limited(response), source, currency);
  if (price === undefined) throw new Error("the answer contains no rate");
  return { source: source.name, currency, price, at: now() };
}

/** Returns the text of a response of at most 64 KiB. */
async function limited(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > 65_536) {
      await reader.cancel();
      throw new Error("the answer is too long");
    }
    parts.push(value);
  }
  return new Blob(parts as BlobPart[]).text();
}

/** Returns whether a rate is so old that it must be marked. */
export function stale(rate: Rate, now = Date.now()): boolean {
  return now - rate.at > staleAfter;
}

/** Returns what an amount of atomic units is worth, in 1/100,000,000 of the currency. */
export function worth(atomic: bigint, rate: Rate): bigint {
  return (atomic * rate.price) / atomicUnits;
}

/** Returns how many atomic units a fiat amount buys; fiat is in 1/100,000,000 of the currency. */
export function bought(fiat: bigint, rate: Rate): bigint {
  return ((fiat * atomicUnits) / rate.price / precision) * precision;
}

/** Parses a fiat amount as people type it. Returns it in 1/100,000,000 of the currency, or undefined. */
export function parseFiat(text: string): bigint | undefined {
  const t = text.replace(/[\s\u2009\u202f\u00a0_']/g, "").replace(",", ".");
  const match = /^(\d{0,15})\.?(\d{0,8})$/.exec(t);
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  return BigInt(match[1] || "0") * scale + BigInt((match[2] ?? "").padEnd(8, "0"));
}

/** Returns 1/100,000,000 of a currency as a number of the currency, to be written. */
export function fiatValue(fiat: bigint): number {
  return Number(fiat) / Number(scale);
}

/** Returns a text of the list in a language; English if it is not translated. */
export function inLanguage(text: Texts, language: string): string {
  return text[language] ?? text.en ?? "";
}

const key = "rate";

/** What all pages of the app know of a source: its last rate, and when it was last asked, even if it did not answer. */
export interface Known {
  rate: Rate | undefined;
  tried: number;
}

/** Reads what is known of the rate of a source in a currency. */
export async function readKnown(platform: Platform, source: RateSource, currency: string): Promise<Known> {
  const nothing: Known = { rate: undefined, tried: 0 };
  try {
    const kept: unknown = JSON.parse((await platform.read(key)) ?? "{}");
    if (!isObject(kept) || kept.source !== source.name || kept.currency !== currency) return nothing;
    const now = Date.now();
    const past = (t: unknown): number => (typeof t === "number" && t <= now ? t : 0);
    const { price } = kept;
    const at = past(kept.at);
    const tried = past(kept.tried);
    if (typeof price !== "string" || !/^\d{1,21}$/.test(price) || BigInt(price) === 0n || now - at > uselessAfter)
      return { rate: undefined, tried };
    return { rate: { source: source.name, currency, price: BigInt(price), at }, tried };
  } catch {
    return nothing;
  }
}

/** Stores what is known, for all pages. */
export function keepKnown(platform: Platform, source: RateSource, currency: string, known: Known): Promise<void> {
  const { rate, tried } = known;
  const kept = { source: source.name, currency, tried, ...(rate && { price: rate.price.toString(), at: rate.at }) };
  return platform.write(key, JSON.stringify(kept));
}

/** Deletes what is known. */
export function forgetKnown(platform: Platform): Promise<void> {
  return platform.write(key, "{}");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isTexts(value: unknown): value is Texts {
  return isObject(value) && Object.values(value).every((text) => typeof text === "string");
}
