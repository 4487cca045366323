import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { plain, unsure } from "../src/lib/errors.js";
import { Clipboard } from "../src/lib/clipboard.js";
import { fromHex, hex } from "../src/lib/hex.js";
import { t } from "../src/lib/i18n.js";
import { isEncryptedFile, keyImages } from "../src/lib/key-images.js";
import { duration, TimeLeft } from "../src/lib/progress.js";
import {
  engineOptions,
  defaults,
  load,
  networkOf,
  nodeAddress,
  resolverAddress,
  sendingAddress,
} from "../src/lib/settings.js";
import type { Platform } from "../src/lib/platform.js";

test("the time left follows the speed of the last half minute", () => {
  const t = new TimeLeft();
  assert.equal(t.report(0, { height: 0, target: 1000 }), undefined);
  assert.equal(t.report(1000, { height: 100, target: 1000 }), undefined);
  assert.equal(t.report(2000, { height: 200, target: 1000 }), 8000);
  assert.equal(t.report(60_000, { height: 500, target: 1000 }), (58_000 / 300) * 500);
  assert.equal(t.report(61_000, { height: 1000, target: 1000 }), undefined);
  assert.equal(t.report(62_000, { height: 10, target: 1000 }), undefined);
});

test("durations and counts in words", () => {
  assert.deepEqual([10_000, 60_000, 25 * 60_000, 3 * 3_600_000, 90 * 3_600_000].map(duration), [
    "less than a minute",
    "1 minute",
    "25 minutes",
    "3 hours",
    "4 days",
  ]);
  assert.deepEqual(
    [1n, 2500].map((count) => t("common.transactions", { count })),
    ["1 transaction", "2,500 transactions"],
  );
});

test("every failure has a plain description and the engine's message", () => {
  assert.equal(
    plain({ kind: "contract", code: -37, reason: "NotEnoughUnlockedMoney", message: "x" }).title,
    "Not enough unlocked money",
  );
  assert.equal(plain({ kind: "contract", code: -1, reason: "WrongPassword", message: "x" }).title, "Wrong password");
  assert.equal(plain({ kind: "contract", code: -1, message: "it is odd." }).title, "It is odd");
  assert.equal(plain({ kind: "network", code: 0, message: "x" }).title, "The node cannot be reached");
  assert.equal(plain(new DOMException("", "AbortError")).title, "Stopped");
  for (const thrown of [undefined, null, "text", 5, new Error("oops")]) {
    const p = plain(thrown);
    assert.ok(p.title !== "" && p.next !== "");
  }
});

test("the engine's names of failures have their own description", () => {
  const source = readFileSync(join("..", "..", "core", "service", "reason.go"), "utf8");
  const named = [...source.matchAll(/"([A-Z]\w+)"/g)].map((m) => m[1] ?? "");
  for (const [reason, title] of [
    ["NodeInvalid", "The node sent invalid data"],
    ["InvalidPassphrase", "This passphrase cannot be used"],
    ["InvalidSeed", "The seed words are wrong"],
    ["PasswordInFile", "This wallet was made by another program"],
    ["NotViewOnly", "This wallet scans the chain itself"],
    ["NodeUntrusted", "This needs a node you trust"],
    ["NodesDisagree", "The node and a second node disagree"],
    ["DamagedFile", "The wallet’s file is damaged"],
    ["WalletInUse", "The wallet is open in another tab"],
    ["InvalidOutputs", "The chosen outputs cannot make this payment"],
  ] as const) {
    assert.ok(named.includes(reason), reason);
    assert.equal(plain({ kind: "contract", code: -1, reason, message: "invalid password" }).title, title);
  }
});

test("a payment that may have been sent is not reported as unsent", () => {
  for (const f of [
    { kind: "network", code: -38, message: "x" },
    { kind: "contract", code: -4, message: "Failed to commit tx." },
  ]) {
    assert.match(unsure(f).next, /same payment.*never paid twice/);
  }
  assert.equal(
    unsure({ kind: "contract", code: -25, reason: "WrongKey", message: "" }).title,
    plain({ kind: "contract", code: -25, reason: "WrongKey", message: "" }).title,
  );
});

test("a secret is removed from the clipboard as soon as possible", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  let held = "",
    focused = true;
  const back = new Set<() => void>();
  const clipboard = new Clipboard(
    async (text) => {
      if (!focused) throw new DOMException("", "NotAllowedError");
      held = text;
    },
    (call) => {
      back.add(call);
      return () => back.delete(call);
    },
  );
  const focus = (): void => {
    for (const call of [...back]) call();
  };
  await clipboard.copy("abbey", 60_000);
  t.mock.timers.tick(59_999);
  focus();
  assert.equal(held, "abbey");
  t.mock.timers.tick(1);
  await settled();
  assert.equal(held, "");
  assert.equal(back.size, 0);

  // After copying words, the user leaves the page to paste them.
  await clipboard.copy("abducts", 60_000);
  focused = false;
  t.mock.timers.tick(60_000);
  await settled();
  assert.equal(held, "abducts");
  focused = true;
  focus();
  await settled();
  assert.equal(held, "");

  // A text that was copied here later stays.
  await clipboard.copy("ability", 60_000);
  await clipboard.copy("an address");
  t.mock.timers.tick(120_000);
  focus();
  await settled();
  assert.equal(held, "an address");
  assert.equal(back.size, 0);
  focused = false;
  await assert.rejects(clipboard.copy("x", 1));
});

test("hexadecimal digits are decoded and encoded", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  assert.deepEqual(fromHex(hex(bytes)), bytes);
  for (const wrong of ["0", "0g", "zz", "0x00"]) assert.equal(fromHex(wrong), undefined);
});

test("key image files are read, other files are refused", () => {
  const k = { offset: 3, signed_key_images: [{ key_image: "ab".repeat(32), signature: "cd".repeat(64) }] };
  const file = new TextEncoder().encode(JSON.stringify(k));
  assert.deepEqual(keyImages(file), k);
  assert.ok(!isEncryptedFile(file));
  assert.ok(!isEncryptedFile(new TextEncoder().encode("Monero key image")));
  assert.ok(isEncryptedFile(new TextEncoder().encode("Monero key image export\x03…")));
  assert.ok(isEncryptedFile(new TextEncoder().encode("glim key images\x01…")));
  for (const wrong of [
    "",
    "{}",
    "null",
    "[]",
    '{"offset":-1,"signed_key_images":[]}',
    '{"offset":0,"signed_key_images":[{}]}',
    '{"offset":0,"signed_key_images":[{"key_image":"ab","signature":"cd"}]}',
  ]) {
    assert.throws(() => keyImages(new TextEncoder().encode(wrong)), wrong);
  }
});

test("a node's address gets its scheme", () => {
  for (const [text, want] of [
    ["node.example:18089", "https://node.example:18089"],
    ["127.0.0.1:18081", "http://127.0.0.1:18081"],
    ["localhost:18081/", "http://localhost:18081"],
    ["http://node.example:18081", "http://node.example:18081"],
    ["https://edge.example/x/", "https://edge.example/x"],
    ["", ""],
  ] as const) {
    assert.equal(nodeAddress(text), want);
  }
  for (const wrong of ["ftp://x", "http://user:pass@node", "https://x?y=z", "not a node"])
    assert.equal(nodeAddress(wrong), undefined, wrong);
});

test("the node for sending is used with a node that is read, and only if it is another one", () => {
  const sending = "https://b.example";
  const to = (part: Partial<typeof defaults>) => engineOptions({ ...defaults, sending, ...part }, "").sending;
  assert.equal(to({ public: true }), sending);
  assert.equal(to({ public: false, node: "https://a.example" }), sending);
  assert.equal(to({ public: false, node: sending }), undefined);
  assert.equal(to({ public: false, node: "" }), undefined);
  assert.equal(to({ node: "embedded:" }), undefined);
  assert.equal(to({ public: true, sending: "" }), undefined);
  assert.equal(sendingAddress("b.example"), sending);
  assert.equal(sendingAddress("embedded:"), undefined);
});

test("addresses of resolvers", () => {
  for (const [text, want] of [
    [" https://dns.example/dns-query ", "https://dns.example/dns-query"],
    ["dns.example/dns-query", "https://dns.example/dns-query"],
    ["http://127.0.0.1:8053/dns-query", "http://127.0.0.1:8053/dns-query"],
    ["https://dns.example/query?key=a", "https://dns.example/query?key=a"],
    [" ", ""],
  ] as const)
    assert.equal(resolverAddress(text), want, text);
  for (const wrong of ["http://dns.example/", "https://a:b@dns.example/", "ftp://x", "not a resolver", "https://x/#a"])
    assert.equal(resolverAddress(wrong), undefined, wrong);
});

test("the private chain is a network of its own", () => {
  assert.equal(networkOf({ ...defaults, network: "stagenet" }), "stagenet");
  assert.equal(networkOf({ ...defaults, node: "embedded:" }), "regtest");
});

test("invalid settings get their defaults", async () => {
  const kept = (text: string | undefined): Pick<Platform, "read"> => ({ read: async () => text });
  const get = (text: string | undefined) => load(kept(text) as Platform);
  assert.deepEqual(await get(undefined), defaults);
  assert.deepEqual(await get("no JSON"), defaults);
  assert.deepEqual(await get('{"theme":"loud","autoLock":"1","network":"moon","node":5}'), defaults);
  assert.equal((await get('{"theme":"dark"}')).theme, "dark");
});

test("each network has its own wallets, and those of the private chain are not stored", () => {
  const database = (part: Partial<typeof defaults>) => engineOptions({ ...defaults, ...part }, "").database;
  assert.deepEqual(
    [database({}), database({ network: "stagenet" }), database({ node: "embedded:" })],
    ["glim", "glim-stagenet", ""],
  );
});
