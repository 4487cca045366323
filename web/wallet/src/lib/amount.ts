import { t } from "./i18n.js";
/** Atomic units in one XMR. */
export const one = 1_000_000_000_000n;
const digits = 12;
const most = (1n << 64n) - 1n;

/** Formats an amount of atomic units in XMR, with all twelve decimals or without trailing zeros. */
export function format(atomic: bigint, keepZeros = false): string {
  const sign = atomic < 0n ? "-" : "";
  const value = atomic < 0n ? -atomic : atomic;
  const whole = (value / one).toString();
  let rest = (value % one).toString().padStart(digits, "0");
  if (!keepZeros) rest = rest.replace(/0+$/, "");
  return sign + whole + (rest === "" ? "" : `.${rest}`);
}

/** An amount for display: the integer part in groups of three, the important decimals, and the remaining ones. */
export interface Parts {
  sign: string;
  whole: string;
  head: string;
  tail: string;
}

/** Splits an amount of atomic units for display: at least two decimals, up to four in head, the rest in tail. */
export function parts(atomic: bigint): Parts {
  const value = atomic < 0n ? -atomic : atomic;
  const whole = (value / one).toString().replace(/\B(?=(\d{3})+$)/g, "\u2009");
  const rest = (value % one).toString().padStart(digits, "0").replace(/0+$/, "").padEnd(2, "0");
  return { sign: atomic < 0n ? "\u2212" : "", whole, head: rest.slice(0, 4), tail: rest.slice(4) };
}

/** An amount that the user typed: its atomic units, or what is wrong with it in plain words. */
export type Entry = { amount: bigint } | { problem: string };

/**
 * Parses an amount as people type it: 1.5, 1,5, .5, 1 000.25. A comma is a decimal mark unless a point shows that it
 * separates groups. 1,500 is refused, because it means one and a half to some and fifteen hundred to others. More than
 * twelve decimals and amounts beyond 64 bits are refused, never rounded.
 */
export function parse(text: string): Entry {
  let entered = text.replace(/[\s\u2009\u202f\u00a0_']/g, "").replace(/xmr$/i, "");
  if (entered === "") return { problem: t("amount.missing") };
  if (entered.includes(",")) {
    if (entered.includes(".")) {
      if (!/^\d{1,3}(,\d{3})*\.\d*$/.test(entered)) return { problem: t("amount.ambiguous") };
      entered = entered.replaceAll(",", "");
    } else if (entered.indexOf(",") !== entered.lastIndexOf(",")) {
      return { problem: t("amount.ambiguous") };
    } else if (/^[1-9]\d{0,2},\d{3}$/.test(entered)) {
      return { problem: t("amount.ambiguousComma") };
    } else {
      entered = entered.replace(",", ".");
    }
  }
  const match = /^(\d*)\.?(\d*)$/.exec(entered);
  if (!match || (match[1] === "" && match[2] === "")) return { problem: t("amount.digits") };
  const [, whole = "", rest = ""] = match;
  if (rest.replace(/0+$/, "").length > digits) return { problem: t("amount.decimals") };
  if (whole.length > 20) return { problem: t("amount.tooMuch") };
  const amount = BigInt(whole || "0") * one + BigInt(rest.slice(0, digits).padEnd(digits, "0"));
  if (amount > most) return { problem: t("amount.tooMuch") };
  return { amount };
}

/** Returns the amount in a pasted text: without spaces around it and the unit, and no longer than the field. */
export function amountIn(text: string): string {
  return text
    .slice(0, 200)
    .trim()
    .replace(/^xmr\s*|\s*xmr$/i, "")
    .slice(0, 40);
}
