/** Atomic units in one XMR: 10^12. */
export const ATOMIC_UNITS = 1_000_000_000_000n;

/** Returns an amount of atomic units in XMR: "1.5", "0.000000000001", "0". */
export function formatXMR(atomic: bigint): string {
  const sign = atomic < 0n ? "-" : "";
  const digits = (atomic < 0n ? -atomic : atomic).toString().padStart(13, "0");
  const fraction = digits.slice(-12).replace(/0+$/, "");
  return sign + digits.slice(0, -12) + (fraction === "" ? "" : `.${fraction}`);
}

/** Returns the atomic units of an amount in XMR, such as "1.5". What is no such amount, or finer than an atomic unit, is a RangeError. */
export function parseXMR(text: string): bigint {
  const parts = /^(\d{1,8})?(?:\.(\d{0,12}))?$/.exec(text.trim());
  const [, whole = "", fraction = ""] = parts ?? [];
  if (whole + fraction === "") throw new RangeError("no amount of XMR");
  return BigInt(whole) * ATOMIC_UNITS + BigInt(fraction.padEnd(12, "0"));
}
