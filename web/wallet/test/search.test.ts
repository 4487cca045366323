import assert from "node:assert/strict";
import { test } from "node:test";
import { csv } from "../src/lib/csv.js";
import type { Transfer } from "../src/lib/engine.js";
import { everything, search } from "../src/lib/search.js";

const transfer = (part: Partial<Transfer>): Transfer => ({
  txid: "a".repeat(64),
  type: "in",
  amount: 1_500_000_000_000n,
  fee: 0n,
  height: 100,
  date: new Date(2024, 4, 31, 12),
  confirmations: 20,
  confirmationsWorth: 1,
  locked: false,
  unlockTime: 0n,
  account: 0,
  indices: [0],
  address: "8Alpha",
  paymentID: "",
  note: "",
  destinations: [],
  doubleSpendSeen: false,
  ...part,
});

const rent = transfer({
  txid: "b".repeat(64),
  type: "out",
  note: "Rent for May",
  amount: 3n * 10n ** 12n,
  fee: 12345678n,
  height: 101,
  destinations: [{ address: "4Landlord", amount: 3n * 10n ** 12n }],
});
const coffee = transfer({ txid: "c".repeat(64), date: new Date(2024, 5, 2, 8) });
const waiting = transfer({ txid: "d".repeat(64), type: "pool", height: 0, locked: true, date: new Date(2024, 5, 3) });
const failed = transfer({ txid: "e".repeat(64), type: "failed", height: 0 });
const all = [waiting, failed, rent, coffee];
const find = (part: Partial<typeof everything>, label?: (t: Transfer) => string) =>
  search(all, { ...everything, ...part }, label)
    .map((t) => t.txid[0])
    .join("");

test("searching a history by note, label, address, ID and amount", () => {
  assert.equal(find({}), "debc");
  assert.equal(find({ text: "rent" }), "b");
  assert.equal(find({ text: "may RENT" }), "b");
  assert.equal(find({ text: "rent june" }), "");
  assert.equal(find({ text: "landlord" }), "b");
  assert.equal(find({ text: "cccc" }), "c");
  assert.equal(find({ text: "1.5" }), "dec");
  assert.equal(find({ text: "1,50" }), "dec");
  assert.equal(find({ text: "3" }), "b");
  assert.equal(find({ text: "101" }), "b");
  assert.equal(
    find({ text: "café" }, (t) => (t === coffee ? "Café" : "")),
    "c",
  );
});

test("filtering a history", () => {
  assert.equal(find({ direction: "in" }), "dc");
  assert.equal(find({ direction: "out" }), "eb");
  assert.equal(find({ state: "open" }), "d");
  assert.equal(find({ state: "done" }), "bc");
  assert.equal(find({ state: "failed" }), "e");
  assert.equal(find({ from: "2024-06-01" }), "dc");
  assert.equal(find({ to: "2024-05-31" }), "eb");
  assert.equal(find({ from: "2024-06-02", to: "2024-06-02" }), "c");
});

test("a history is exported as CSV without formulas", () => {
  const lines = csv([rent, transfer({ note: '=HYPERLINK("x")', date: new Date(Date.UTC(2024, 0, 1)) })]).split("\r\n");
  assert.equal(lines.length, 4);
  assert.match(lines[1]!, /,out,-3,0\.000012345678,101,b{64},4Landlord,,Rent for May$/);
  assert.equal(lines[2], `2024-01-01T00:00:00.000Z,in,1.5,,100,${"a".repeat(64)},8Alpha,,"'=HYPERLINK(""x"")"`);
  // Texts from sites and payers stay texts, even after a character that separates cells in another country's
  // spreadsheets.
  for (const [note, cell] of [
    ["shop: tea;=1+1", '"shop: tea;\'=1+1"'],
    ['shop: tea; "@SUM(1)', '"shop: tea; ""\'@SUM(1)"'],
    ["shop:\t-1+cmd", '"shop:\t\'-1+cmd"'],
    [" \n=1+1", '"\' \n=1+1"'],
    ["\uff1d1+1", "'\uff1d1+1"],
    ["-1+1", "'-1+1"],
    ["a - b; c + d = e", '"a - b; c + d = e"'],
  ] as const) {
    assert.ok(csv([transfer({ note })]).endsWith(`,${cell}\r\n`), cell);
  }
});
