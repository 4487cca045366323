import assert from "node:assert/strict";
import { test } from "node:test";
import { withTime } from "../src/lib/block-time.js";

test("a block gets another time, and stays the same otherwise", () => {
  // Like the main network's genesis block, it has the version 1.0, the time 0 and the nonce 10000.
  const rest = `${"00".repeat(32)}10270000013c01ff0001`;
  assert.equal(withTime(`010000${rest}`, 0), `010000${rest}`);
  assert.equal(withTime(`010000${rest}`, 127), `01007f${rest}`);
  assert.equal(withTime(`010000${rest}`, 128), `01008001${rest}`);
  // 1,700,000,000 is 0x6553f100.
  assert.equal(withTime(`101080e2cfaa06${rest}`, 0), `101000${rest}`);
  assert.equal(withTime(`101000${rest}`, 1_700_000_000), `101080e2cfaa06${rest}`);
  assert.equal(withTime(`8001820105${rest}`, 6), `8001820106${rest}`, "versions of two bytes");
  for (const wrong of ["", "10", "1010", "ff".repeat(12)])
    assert.throws(() => withTime(wrong, 1), /not a block/, wrong);
});
