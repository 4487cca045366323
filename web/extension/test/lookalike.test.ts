import assert from "node:assert/strict";
import { test } from "node:test";
import { oneAway, suspicions } from "../src/lib/lookalike.js";
import { readable } from "../src/lib/punycode.js";

/** The kinds of suspicion about a host, as the browser writes it, with these connected hosts. */
const kinds = (host: string, ...connected: string[]): string[] =>
  suspicions(
    new URL(`https://${host}`).origin,
    connected.map((c) => new URL(`https://${c}`).origin),
  ).map((s) => s.kind);

test("labels of internationalised names", () => {
  // Samples of RFC 3492, section 7.1: Arabic, Chinese, Czech, Japanese, Russian.
  const table = [
    ["xn--egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"],
    ["xn--ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"],
    ["xn--proprostnemluvesky-uyb24dma41a", "pročprostěnemluvíčesky"],
    ["xn--n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa", "なぜみんな日本語を話してくれないのか"],
    ["xn--b1abfaaepdrnnbgefbadotcwatmq2g4l", "почемужеонинеговорятпорусски"],
    ["plain", "plain"],
    ["xn--", ""],
    ["xn--99999999", "xn--99999999"],
    ["xn--a-ß", "xn--a-ß"],
    [`xn--${"z".repeat(80)}`, `xn--${"z".repeat(80)}`],
  ] as const;
  for (const [label, text] of table) assert.equal(readable(label), text);
  for (const text of ["bücher", "münchen-ost", "日本", "аррӏе"])
    assert.equal(new URL(`https://${text}.example`).hostname.split(".").map(readable)[0], text);
});

test("one character away", () => {
  for (const other of ["shops", "shp", "sho", "hop", "shoq", "sohp", "xshop", "shopp", "hsop", "s-hop"])
    assert.ok(oneAway("shop", other) && oneAway(other, "shop"), other);
  for (const other of ["shop", "sh", "shopss", "phos", "sxxp", "", "pohs", "hospx", "shpox"])
    assert.ok(!oneAway("shop", other) && !oneAway(other, "shop"), other);
});

test("names that resemble a connected site", () => {
  const table: [string, string[]][] = [
    ["shop.example", []],
    ["kiosk.example", []],
    ["shop.test", []],
    ["shops.example", ["near"]],
    ["shp.example", ["near"]],
    ["shoq.example", ["near"]],
    ["sohp.example", ["near"]],
    ["shop.exampl", ["near"]],
    ["sh0p.example", ["alike"]],
    ["shop.exarnple", ["alike"]],
    ["pay.sh0p.example", ["alike"]],
    ["www.shops.example", ["near"]],
    ["shop.example.attacker.test", ["inside"]],
    ["www.shop.example.attacker.test", ["inside"]],
    ["pay.shop.example", []],
    ["example", []],
    ["shóp.example", ["alike"]],
    ["ѕһор.example", ["foreign", "alike"]], // Cyrillic
    ["shoр.example", ["mixed", "alike"]], // its last letter is Cyrillic
  ];
  for (const [host, expected] of table) assert.deepEqual(kinds(host, "shop.example"), expected, host);
  assert.deepEqual(kinds("exchange.com", "exchange.co", "exchange.cm"), ["near", "near"]);
  assert.deepEqual(kinds("paying.co.uk", "shop.co.uz"), [], "a registry is not a site");
  assert.deepEqual(kinds("sh0p.example", "login.shop.example"), ["alike"]);
});

test("names by themselves", () => {
  const table: [string, string[]][] = [
    ["example.com", []],
    ["münchen.example", []],
    ["пример.example", []],
    ["日本語ドメイン.example", []],
    ["한국shop.example", []],
    ["ελλάδα.example", []],
    ["аррӏе.example", ["foreign"]], // Cyrillic
    ["ехаmple.example", ["mixed"]],
    ["paypαl.example", ["mixed"]], // a Greek letter
    ["127.0.0.1", []],
    ["[::1]", []],
    ["localhost", []],
  ];
  for (const [host, expected] of table) assert.deepEqual(kinds(host), expected, host);
  assert.deepEqual(suspicions("not an origin", ["https://shop.example"]), []);
  assert.deepEqual(kinds("127.0.0.2", "127.0.0.1"), [], "addresses are not names");
  const [first] = suspicions(new URL("https://аррӏе.example").origin, []);
  assert.deepEqual(first, { kind: "foreign", name: "аррӏе.example", looks: "apple.example" });
});
