// Waiting for what a page shows: drawing, effects and answers of the engine come some time after a user's action.
import assert from "node:assert/strict";

/** Timeout of each step, in milliseconds: machines may be busy. */
export const patience = Number(process.env.GLIM_PATIENCE ?? 180_000);

/**
 * Reads until the value is as expected: equal to expected, or matched by it if it is a pattern, or accepted by it if it
 * is a function, which fails otherwise. Returns the value. After a timeout, in milliseconds, it fails like the last
 * reading.
 */
export async function eventually(read, expected, message, timeout = patience) {
  for (const until = Date.now() + timeout; ; ) {
    try {
      const value = await read();
      if (typeof expected === "function") expected(value);
      else if (expected instanceof RegExp) assert.match(value, expected, message);
      else assert.deepEqual(value, expected, message);
      return value;
    } catch (e) {
      if (Date.now() >= until) throw e;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
