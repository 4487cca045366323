/** Atomic units in one XMR: 10^12. */
export const ATOMIC_UNITS = 1_000_000_000_000n;

/** Formats an amount of atomic units in XMR: "1.5", "0.000000000001", "0". */
export function formatXMR(atomic: bigint): string {
  const sign = atomic < 0n ? "-" : "";
  const digits = (atomic < 0n ? -atomic : atomic).toString().padStart(13, "0");
  const fraction = digits.slice(-12).replace(/0+$/, "");
  return sign + digits.slice(0, -12) + (fraction === "" ? "" : `.${fraction}`);
}

/**
 * Parses an amount in XMR, such as "1.5", into atomic units. It throws a RangeError if the text is not an amount or has
 * more than 12 decimal places.
 */
export function parseXMR(text: string): bigint {
  const parts = /^(\d{1,8})?(?:\.(\d{0,12}))?$/.exec(text.trim());
  const [, whole = "", fraction = ""] = parts ?? [];
  if (whole + fraction === "") throw new RangeError("not an amount of XMR");
  return BigInt(whole) * ATOMIC_UNITS + BigInt(fraction.padEnd(12, "0"));
}
