// URs against the published vectors, with lost, reordered, damaged and hostile parts.
import assert from "node:assert/strict";
import { createHash, randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";

import { build } from "esbuild";

import { crc32, UR_TYPES, URDecoder, UREncoder } from "../dist/node.js";
import { sdk } from "./tools.mjs";

const vectors = JSON.parse(readFileSync(join(sdk, "test", "testdata", "ur.json"), "utf8"));
const text = new TextEncoder();

/** The modules that the package does not export. */
let inside;
before(async () => {
  const contents = ["bytewords", "fountain", "sha256"].map((name) => `export * from "./src/${name}.js";`).join("\n");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: sdk, loader: "ts" },
    bundle: true,
    format: "esm",
    write: false,
  });
  inside = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
});

const generator = (seed) => new inside.Xoshiro256(text.encode(seed));
const times = (n, f) => Array.from({ length: n }, (_, i) => f(i));
/** The message that the vectors use. */
const message = (n) => {
  const random = generator("Wolf");
  return Uint8Array.from({ length: n }, () => random.below(256));
};
/** A part with these numbers, whatever they are. */
const forged = (type, n, count, length, sum, fragment) => {
  const number = (major, x) => {
    const bytes = Buffer.alloc(5);
    bytes[0] = (major << 5) | 26;
    bytes.writeUInt32BE(x, 1);
    return bytes;
  };
  const items = [n, count, length, sum].map((x) => number(0, x));
  const part = Buffer.concat([Buffer.of(0x85), ...items, number(2, fragment.length), fragment]);
  return `ur:${type}/${n}-${count}/${inside.toBytewords(part)}`;
};
const shuffle = (list) => {
  for (let i = list.length - 1; i > 0; i--) {
    const k = randomInt(i + 1);
    [list[i], list[k]] = [list[k], list[i]];
  }
  return list;
};
const whole = (taken, type, data) => {
  assert.equal(taken.state, "whole");
  assert.equal(taken.type, type);
  assert.deepEqual(Buffer.from(taken.data), Buffer.from(data));
};

test("checksums and hashes", () => {
  assert.equal(crc32(text.encode("Hello, world!")), 0xebe6c6e6); // bc-ur, test/test.cpp
  assert.equal(crc32(text.encode("Wolf")), 0x598c84dc);
  for (const n of [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 1000]) {
    const bytes = randomBytes(n);
    const hash = inside.sha256(bytes);
    const expected = createHash("sha256").update(bytes).digest();
    assert.deepEqual(
      [...hash],
      times(8, (i) => expected.readUInt32BE(4 * i)),
      `${n}`,
    );
  }
});

test("Bytewords are those of BCR-2020-012 and bc-ur", () => {
  const seed = Buffer.from("d99d6ca20150c7098580125e2ab0981253468b2dbc5202c11947da", "hex"); // BCR-2020-012
  assert.equal(inside.toBytewords(seed), "tantjzoeadgdstaslplabghydrpfmkbggufgludprfgmaosecffltnsoaawkbd");
  assert.equal(inside.toBytewords(Uint8Array.from(vectors.bytes)), vectors.bytewords.join(""));
  assert.deepEqual(inside.fromBytewords(vectors.bytewords.join("")), Uint8Array.from(vectors.bytes));
  assert.deepEqual(inside.fromBytewords("aeadaolazmjendeoti"), Uint8Array.of(0, 1, 2, 128, 255));
  for (const wrong of ["aeadaolazojendeowf", "wf", "", "aeadaolazmjendeot", "AEADAOLAZMJENDEOTI", "zzzzzzzzzzzz"])
    assert.equal(inside.fromBytewords(wrong), undefined, wrong);
});

test("the fragments of a part are chosen as in bc-ur", () => {
  const wolf = generator("Wolf");
  assert.deepEqual(
    times(100, () => Number(wolf.next() % 100n)),
    vectors.random,
  );
  const sum = new inside.Xoshiro256(Uint8Array.of(0x59, 0x8c, 0x84, 0xdc));
  assert.deepEqual(
    times(100, () => Number(sum.next() % 100n)),
    vectors.randomOfChecksum,
  );
  const ten = generator("Wolf");
  assert.deepEqual(
    times(100, () => ten.below(10) + 1),
    vectors.oneToTen,
  );
  const sampler = new inside.Sampler([1, 2, 4, 8]);
  const random = generator("Wolf");
  assert.deepEqual(
    times(500, () => sampler.next(random)),
    vectors.samples,
  );
  const degrees = new inside.Sampler(times(11, (i) => 1 / (i + 1)));
  assert.deepEqual(
    times(200, (i) => degrees.next(generator(`Wolf-${i + 1}`)) + 1),
    vectors.degrees,
  );
  const chooser = new inside.Chooser(11, crc32(message(1024)));
  assert.deepEqual(
    times(30, (i) => chooser.fragments(i + 1).sort((a, b) => a - b)),
    vectors.fragments,
  );
});

test("parts are those of bc-ur", () => {
  assert.equal(new UREncoder("bytes", message(50)).part(1), vectors.single.join(""));
  const encoder = new UREncoder("bytes", message(256), 30);
  assert.deepEqual(
    times(20, (i) => encoder.part(i + 1)),
    vectors.parts,
  );
  whole(new URDecoder().take(vectors.single.join("")), "bytes", message(50));
  for (const parts of [vectors.parts, vectors.parts.map((p) => p.toUpperCase()).reverse()]) {
    const decoder = new URDecoder();
    let taken;
    for (const part of parts) {
      taken = decoder.take(part);
      if (taken.state === "whole") break;
    }
    whole(taken, "bytes", message(256));
  }
});

test("the types of Monero are byte strings, and are read as Keystone writes them", () => {
  assert.equal(
    new UREncoder(UR_TYPES.keyImages, Buffer.from("aabbccdd", "hex")).part(1),
    `ur:xmr-keyimage/${inside.toBytewords(Buffer.from("44aabbccdd", "hex"))}`, // ur-registry/src/monero/xmr_keyimage.rs
  );
  const long = Buffer.from("590002aaff", "hex"); // ur-registry/src/monero/xmr_output.rs: not the shortest form
  whole(new URDecoder().take(`ur:xmr-output/${inside.toBytewords(long)}`), UR_TYPES.outputs, Buffer.of(0xaa, 0xff));
});

test("any data survives lost, repeated and reordered parts", () => {
  for (let round = 0; round < 200; round++) {
    const data = randomBytes(randomInt(round < 20 ? 4 : 3000));
    const encoder = new UREncoder(UR_TYPES.unsigned, data, randomInt(10, 300));
    // The reader sees each part with a chance of two thirds, from a random part on.
    const decoder = new URDecoder();
    const first = randomInt(1, 1000);
    const parts = shuffle(times(4 * encoder.count + 60, (i) => encoder.part(first + i)));
    let [taken, seen] = [undefined, 0];
    for (const part of parts) {
      if (randomInt(3) === 0) continue;
      taken = decoder.take(randomInt(2) ? part : part.toUpperCase());
      seen++;
      if (taken.state === "whole") break;
      assert.equal(taken.state, "more");
      assert.equal(taken.total, encoder.count);
      assert.ok(taken.have <= seen && taken.have < taken.total);
    }
    whole(taken, UR_TYPES.unsigned, data);
  }
});

test("a set that is shown once is complete without its mixed parts, and with them if some are lost", () => {
  const data = randomBytes(20_000);
  const codes = new UREncoder(UR_TYPES.signed, data).codes();
  assert.equal(codes.length, 2 * new UREncoder(UR_TYPES.signed, data).count);
  assert.ok(codes.every((c) => /^UR:XMR-TXSIGNED\/[0-9]+-[0-9]+\/[A-Z]+$/.test(c)));
  const plain = new URDecoder();
  whole(
    codes.slice(0, codes.length / 2).reduce((_, c) => plain.take(c), undefined),
    UR_TYPES.signed,
    data,
  );
  const lossy = new URDecoder();
  const states = codes.filter((_, i) => i % 17 !== 3).map((c) => lossy.take(c));
  whole(
    states.find((s) => s.state === "whole"),
    UR_TYPES.signed,
    data,
  );
});

test("a part of another UR starts over", () => {
  const [a, b] = [randomBytes(700), randomBytes(700)];
  const decoder = new URDecoder();
  const [one, two] = [a, b].map((data) => new UREncoder(UR_TYPES.outputs, data, 300));
  decoder.take(one.part(1));
  assert.deepEqual(decoder.take(one.part(2)), { state: "more", have: 2, total: 3 });
  assert.deepEqual(decoder.take(two.part(3)), { state: "more", have: 1, total: 3 });
  decoder.take(two.part(1));
  whole(decoder.take(two.part(2)), UR_TYPES.outputs, b);
});

test("what is not a UR, and what cannot be read, changes nothing", () => {
  const data = randomBytes(500);
  const encoder = new UREncoder(UR_TYPES.outputs, data, 200);
  const decoder = new URDecoder();
  decoder.take(encoder.part(1));
  decoder.take(encoder.part(2));
  const third = encoder.part(3);
  const body = third.split("/")[2];
  const sum = 12345;
  for (const other of ["", "monero:4", "GLIM/O/1/1/1/00000000/AA", "xur:", " ur:bytes/"])
    assert.deepEqual(decoder.take(other), { state: "other" }, other);
  for (const wrong of [
    "ur:",
    "ur:/",
    "ur:xmr-output",
    "ur:xmr_output/1-2/aa",
    third.slice(0, -2),
    third.slice(0, -1),
    `${third}/`,
    `${third}aa`,
    third.replace("3-3", "4-3"),
    third.replace("3-3", "3-4"),
    third.replace("3-3", "0-3"),
    third.replace("3-3", "3"),
    third.replace("3-3", "3e0-3"),
    third.replace(body, `${body.slice(0, 20)}${body.slice(20, 22) === "ae" ? "ad" : "ae"}${body.slice(22)}`),
    `ur:xmr-output/1-3/${"ae".repeat(10_000)}`,
    `ur:xmr-output/${inside.toBytewords(Buffer.from("65aabbccddee", "hex"))}`, // a text
    `ur:xmr-output/${inside.toBytewords(Buffer.from("45aabb", "hex"))}`, // bytes are missing
    `ur:xmr-output/${inside.toBytewords(Buffer.from("41aabb", "hex"))}`, // there is more
    `ur:xmr-output/${inside.toBytewords(Buffer.from("5fff", "hex"))}`, // no length
    forged("xmr-output", 1, 4097, 4097, sum, randomBytes(1)), // too many fragments
    forged("xmr-output", 1, 0xffffffff, 0xffffffff, sum, randomBytes(1)),
    forged("xmr-output", 1, 1025, (1 << 20) + 1, sum, randomBytes(1024)), // too long
    forged("xmr-output", 1, 3, 500, sum, randomBytes(100)), // fragments too short
    forged("xmr-output", 1, 3, 500, sum, randomBytes(250)), // the last fragment would be padding
    forged("xmr-output", 1, 3, 0, sum, Buffer.alloc(0)),
  ])
    assert.deepEqual(decoder.take(wrong), { state: "invalid" }, wrong.slice(0, 100));
  whole(decoder.take(third), UR_TYPES.outputs, data);
});

test("parts that contradict each other are discarded", () => {
  const data = randomBytes(900);
  const encoder = new UREncoder(UR_TYPES.signed, data, 100);
  const decoder = new URDecoder();
  const [count, length] = [encoder.count, data.length + 3];
  const sum = crc32(Buffer.concat([Buffer.from("590384", "hex"), data]));
  const size = Math.ceil(length / count);
  const wrong = (n) => forged(UR_TYPES.signed, n, count, length, sum, randomBytes(size));
  // Another text of a part that is known.
  decoder.take(encoder.part(1));
  assert.deepEqual(decoder.take(wrong(1)), { state: "damaged" });
  // A wrong fragment, which only the checksum of the whole shows.
  for (let n = 2; n <= count; n++) assert.deepEqual(decoder.take(encoder.part(n)).state, "more");
  assert.deepEqual(decoder.take(wrong(1)), { state: "damaged" });
  // It starts over.
  for (let n = 1; n < count; n++) assert.equal(decoder.take(encoder.part(n)).have, n);
  whole(decoder.take(encoder.part(count)), UR_TYPES.signed, data);
});

test("random changes of parts never yield other data", () => {
  const data = randomBytes(400);
  const encoder = new UREncoder(UR_TYPES.outputs, data, 50);
  const letters = "ur:/-0123456789abcdefghijklmnopqrstuvwxyz";
  for (let round = 0; round < 2000; round++) {
    const decoder = new URDecoder();
    for (let k = 0; k < 30; k++) {
      let part = encoder.part(randomInt(1, 40));
      for (let changes = randomInt(3); changes > 0; changes--) {
        const at = randomInt(part.length);
        part = part.slice(0, at) + letters[randomInt(letters.length)] + part.slice(at + randomInt(3));
      }
      const taken = decoder.take(part);
      if (taken.state === "whole") whole(taken, taken.type, data);
    }
  }
});

test("the largest set is read within its limits, whatever its parts are", () => {
  const decoder = new URDecoder();
  const [count, size] = [4096, 256];
  let states = 0;
  for (let n = 1; n <= 2 * count && states < 2; n++) {
    // Parts that mix many fragments, and whose data is random.
    const taken = decoder.take(forged(UR_TYPES.outputs, 1_000_000 + n, count, count * size, 7, randomBytes(size)));
    assert.ok(taken.state === "more" ? taken.have <= n && taken.total === count : taken.state === "damaged");
    if (taken.state === "damaged") states++;
  }
  assert.ok(states > 0);
});

test("the encoder refuses what readers refuse", () => {
  assert.throws(() => new UREncoder(UR_TYPES.outputs, new Uint8Array(1 << 20), 1024), RangeError);
  assert.throws(() => new UREncoder(UR_TYPES.outputs, new Uint8Array(4096 * 10), 10), RangeError);
  for (const size of [0, -1, Number.NaN]) assert.throws(() => new UREncoder("bytes", randomBytes(9), size), RangeError);
  for (const type of ["", "XMR", "a/b", "x".repeat(65)])
    assert.throws(() => new UREncoder(type, randomBytes(9)), RangeError);
  const encoder = new UREncoder("bytes", randomBytes(900));
  for (const n of [0, -1, 1.5, 2 ** 32]) assert.throws(() => encoder.part(n), RangeError);
});
