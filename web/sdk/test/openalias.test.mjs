// OpenAlias names, looked up through a resolver of the test's own for DNS over HTTPS.
import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";

import { Glim } from "../dist/node.js";
import { lookUp, parseName, parseRecord } from "../dist/openalias.js";
import { exec, folder, listen, patience, root, sdk } from "./tools.mjs";

const vectors = JSON.parse(readFileSync(join(root, "core", "openalias", "testdata", "openalias.json"), "utf8"));
const one = vectors.records[0].address;
const two = "42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm";
const stagenet = "56FGT8w9KS3FRbnDuqsB5xFVhAoh4nnn36CtLmfrpcZoCeWBzCPQcdjaX7Jr41XkFVE7xXaFSVJtNhxbCCQeU1aXQUjmxYF";

/** The module that the package does not export. */
let dns;
let glim;
before(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(sdk, "src", "dns.ts")],
    bundle: true,
    format: "esm",
    write: false,
  });
  dns = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  glim = await Glim.start({ network: "mainnet", database: "", workers: 0, kdf: { time: 1, memory: 64 } });
});
after(() => glim?.stop());

const record = (address, more = "") => `oa1:xmr recipient_address=${address};${more}`;
const pair = (n) => Buffer.of(n >> 8, n & 255);
const labels = (name) =>
  Buffer.concat([...name.split(".").flatMap((l) => [Buffer.of(l.length), Buffer.from(l)]), Buffer.of(0)]);
/** The data of a TXT record: strings of up to 255 bytes, which can divide a character. */
const strings = (text) => {
  const bytes = Buffer.from(text);
  const parts = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255);
    parts.push(Buffer.of(part.length), part);
  }
  return Buffer.concat(parts);
};
const entry = (owner, type, data) =>
  Buffer.concat([owner, pair(type), pair(1), Buffer.alloc(4), pair(data.length), data]);
const txt = (owner, text) => entry(labels(owner), 16, strings(text));
const cname = (owner, to) => entry(labels(owner), 5, labels(to));
const question = (name) => Buffer.concat([labels(name), pair(16), pair(1)]);
/** A response with these records; 0x81a0 is that of a resolver which has validated it. */
const response = (name, records, flags = 0x81a0) =>
  Buffer.concat([pair(0), pair(flags), pair(1), pair(records.length), pair(0), pair(0), question(name), ...records]);

/** Starts a resolver. answer gets the query and returns the response's body, or [status, body]. */
async function resolver(t, answer) {
  const asked = [];
  const server = createServer(async (req, res) => {
    const query = Buffer.from(new URL(req.url, "http://x").searchParams.get("dns"), "base64url");
    asked.push({ headers: req.headers, method: req.method, query });
    const given = await answer(query);
    if (!given) return; // says nothing
    const [status, body] = Array.isArray(given) ? given : [200, given];
    res.writeHead(status, { "content-type": "application/dns-message" }).end(body);
  });
  return { resolver: `${await listen(t, server)}/dns-query`, asked };
}
const fails = (promise, reason, message) =>
  assert.rejects(promise, (e) => {
    assert.equal(e.name, "GlimError");
    assert.equal(e.reason, reason, e.message);
    assert.match(e.message, message);
    return true;
  });

test("names and records are read as by the service", () => {
  for (const [text, name] of Object.entries(vectors.names)) assert.equal(parseName(text), name);
  for (const text of vectors.not_names) {
    assert.throws(
      () => parseName(text),
      (e) => e.reason === "InvalidName",
      text,
    );
  }
  for (const { text, address, name = "", description = "" } of vectors.records)
    assert.deepEqual(parseRecord(text), { address, recipient: name, description });
  for (const text of [...vectors.not_records, ...vectors.malformed_records])
    assert.equal(parseRecord(text), undefined, text);
  assert.equal(parseRecord(record(one, "recipient_name=\ufffd")), undefined);
});

test("a signed name", async (t) => {
  const name = "donate.example.org";
  const records = [txt(name, "v=spf1 -all"), txt(name, record(one, ' recipient_name="A; B"; tx_description=thanks'))];
  const r = await resolver(t, () => response(name, records));
  const found = { name, address: one, recipient: "A; B", description: "thanks", signed: true };
  assert.deepEqual(await lookUp(glim, "Donate@Example.org", r), found);
  assert.deepEqual(await lookUp(glim, "a.example.org", r).catch((e) => e.reason), "ResolverInvalid");
  const [{ headers, method, query }, other] = r.asked;
  assert.equal(method, "GET");
  assert.equal(headers.accept, "application/dns-message");
  assert.deepEqual([headers.cookie, headers.referer, headers.authorization], [undefined, undefined, undefined]);
  assert.equal(other.query.length, query.length, "the size does not tell the name");
  assert.deepEqual(query.subarray(0, 6), Buffer.of(0, 0, 1, 0x20, 0, 1));
  assert.deepEqual(query.subarray(12, 12 + question(name).length), question(name));
  assert.equal(dns.textQuery(`${"a".repeat(63)}.`.repeat(4).slice(0, 253)).length, query.length);
});

test("aliases, long records and compressed names", async (t) => {
  const name = "pay.example.org";
  const long = record(one, ` tx_description=${"é".repeat(200)};`);
  const chain = [cname(name, "b.example.net"), cname("b.example.net", "C.example.net")];
  const pointing = entry(Buffer.of(0xc0, 12), 16, strings(record(two)));
  let records = [...chain, txt("c.example.net", long), txt("x.example.net", record(two))];
  const r = await resolver(t, () => response(name, records));
  assert.deepEqual((await lookUp(glim, name, r)).description, "é".repeat(200));
  records = [pointing];
  assert.equal((await lookUp(glim, name, r)).address, two);
  records = [cname(name, "b.example.net"), cname("b.example.net", name), txt(name, record(one))];
  await fails(lookUp(glim, name, r), "ResolverInvalid", /too many aliases/);
});

test("what is refused", async (t) => {
  const name = "shop.example.org";
  let answer;
  const r = await resolver(t, () => answer);
  const refused = async (given, reason, message, options = {}) => {
    answer = given;
    await fails(lookUp(glim, name, { ...r, ...options }), reason, message);
  };
  await refused(response(name, [txt(name, record(one))], 0x8180), "NameUnsigned", /no valid signatures/);
  assert.equal((await lookUp(glim, name, { ...r, acceptUnsigned: true })).signed, false);
  await refused(response(name, []), "NameNotFound", /no Monero address of the network mainnet/);
  await refused(response(name, [txt(name, record(one))], 0x81a3), "NameNotFound", /no Monero address/);
  await refused(response(name, [txt(name, record(stagenet))]), "NameNotFound", /no Monero address/);
  await refused(response(name, [txt(name, record(`${one}x`))]), "NameNotFound", /no Monero address/);
  await refused(response(name, [txt(name, record(one)), txt(name, record(two))]), "NameAmbiguous", /more than one/);
  answer = response(name, [txt(name, record(one)), txt(name, record(one)), txt(name, record(stagenet))]);
  assert.equal((await lookUp(glim, name, r)).address, one);
  await refused(response(name, [], 0x81a2), "ResolverInvalid", /failed with code 2/);
  await refused(response(name, [], 0x83a0), "ResolverInvalid", /truncated/);
  await refused(response(name, [], 0x01a0), "ResolverInvalid", /not a response/);
  await refused(response("other.example.org", []), "ResolverInvalid", /another question/);
  await refused([503, ""], "ResolverInvalid", /status 503/);
  await refused(Buffer.alloc(70_000), "ResolverInvalid", /more than a message/);
  await fails(lookUp(glim, "no name", r), "InvalidName", /domain name/);
  for (const url of ["http://dns.example/dns-query", "dns.example", "https://a:b@dns.example/", ""])
    await fails(lookUp(glim, name, { resolver: url }), "ResolverInvalid", /https/);
  await fails(lookUp(glim, name, { resolver: "http://127.0.0.1:9/" }), "ResolverUnreachable", /127\.0\.0\.1:9 cannot/);
  await assert.rejects(lookUp(glim, name), (e) => e.code === -2, "the engine of a page looks nothing up");
});

test("the example of the README", async (t) => {
  const blocks = [...readFileSync(join(sdk, "README.md"), "utf8").matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
    (m) => m[1],
  );
  const example = blocks.find((b) => b.includes("glim/openalias"));
  const name = "donate.getmonero.org";
  const r = await resolver(t, () => response(name, [txt(name, record(one, ' recipient_name="Monero";'))]));
  const public_ = "https://dns.quad9.net/dns-query";
  assert.ok(example.includes(public_) && example.includes('{ network: "mainnet" }'));
  const imports = Object.entries({ glim: "node", "glim/openalias": "openalias" });
  let text = example
    .replace(public_, r.resolver)
    .replace('{ network: "mainnet" }', '{ network: "mainnet", database: "" }');
  for (const [from, to] of imports)
    text = text.replace(`"${from}"`, JSON.stringify(pathToFileURL(join(sdk, "dist", `${to}.js`)).href));
  const file = join(folder(t), "example.mjs");
  writeFileSync(file, text);
  const { stdout } = await exec(process.execPath, [file], { timeout: patience });
  assert.equal(stdout, `${name} (Monero) is ${one}\n`);
});

test("a call is cancelled", async (t) => {
  const stop = new AbortController();
  const r = await resolver(t, () => void stop.abort());
  await fails(lookUp(glim, "a.example.org", { ...r, signal: stop.signal }), "Aborted", /cancelled/);
  await fails(lookUp(glim, "a.example.org", { ...r, signal: stop.signal }), "Aborted", /cancelled/);
});

test("damaged responses fail in time that is proportional to their size", () => {
  const name = "a.example.org";
  const whole = response(name, [cname(name, "b.example.net"), txt("b.example.net", record(one))]);
  const read = (message) => {
    try {
      return dns.readTexts(message, name);
    } catch (e) {
      assert.ok(e instanceof dns.DNSError, e.stack);
      return undefined;
    }
  };
  assert.deepEqual(read(whole).texts, [record(one)]);
  for (let n = 0; n < whole.length; n++) assert.equal(read(whole.subarray(0, n)), undefined, `${n}`);
  for (let n = 0; n < 3000; n++) {
    const bad = Buffer.from(whole);
    for (let k = randomInt(1, 4); k > 0; k--) bad[randomInt(bad.length)] = randomInt(256);
    read(bad);
    read(Buffer.concat([whole.subarray(0, 12), randomBytes(randomInt(200))]));
  }
  // Pointers to pointers: each name costs at most as much as the message before it.
  const loop = Buffer.concat([whole.subarray(0, 12), Buffer.of(0xc0, 12)]);
  assert.equal(read(loop), undefined);
});
