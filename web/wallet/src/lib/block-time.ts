/** Longest number of the kind that blocks contain, in bytes: 64 bits, of which each byte has 7. */
const longest = 10;

/**
 * Returns a block, in hexadecimal, with another time, in POSIX seconds. The time is the third number of a block, after
 * its major and its minor version; each has 7 bits in a byte, the lowest first, and another byte follows if the
 * highest bit is set. Source: src/cryptonote_basic/cryptonote_basic.h, block_header.
 */
export function withTime(block: string, time: number): string {
  const start = afterNumber(block, afterNumber(block, 0));
  return block.slice(0, start) + number(time) + block.slice(afterNumber(block, start));
}

/** Returns where the number that begins at a digit ends. */
function afterNumber(hex: string, at: number): number {
  for (let end = at + 2; end <= Math.min(hex.length, at + 2 * longest); end += 2) {
    const byte = Number.parseInt(hex.slice(end - 2, end), 16);
    if (byte < 0x80) return end;
  }
  throw new Error("this is not a block");
}

/** Writes a number as blocks do. */
function number(value: number): string {
  let hex = "";
  for (let left = BigInt(value); ; left >>= 7n) {
    const last = left < 0x80n;
    hex += ((left & 0x7fn) | (last ? 0n : 0x80n)).toString(16).padStart(2, "0");
    if (last) return hex;
  }
}
