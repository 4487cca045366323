// The TypeScript examples in the documents compile unchanged, and run on a private chain in place of a network's
// daemon.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { transform } from "esbuild";

import { exec, folder, patience, sdk } from "./tools.mjs";

const network = '{ network: "mainnet", daemon: "https://node.example:18089" }';
const here = '{ network: "regtest", daemon: "embedded:", database: "", workers: 0, kdf: { time: 1, memory: 64 } }';

/** The code blocks of a document in a language. */
function blocks(document, language) {
  const found = [
    ...readFileSync(join(sdk, document), "utf8").matchAll(
      new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"),
    ),
  ].map((m) => m[1]);
  assert.ok(found.length > 0, document);
  return found;
}

/** Compiles code blocks unchanged. */
async function compile(dir, all) {
  for (const [n, text] of all.entries()) writeFileSync(join(dir, `block${n}.ts`), text);
  const options = {
    target: "ES2022",
    module: "ESNext",
    moduleResolution: "Bundler",
    lib: ["ES2023", "DOM"],
    strict: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(sdk, "node_modules", "@types")],
    paths: {
      glim: [join(sdk, "dist", "types", "index.d.ts")],
      "glim/openalias": [join(sdk, "dist", "types", "openalias.d.ts")],
    },
  };
  writeFileSync(
    join(dir, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: all.map((_, n) => `block${n}.ts`) }),
  );
  await exec(process.execPath, [join(sdk, "node_modules", "typescript", "bin", "tsc"), "-p", dir]).catch((e) =>
    assert.fail(e.stdout),
  );
}

/** Runs a code block with a private chain in place of the network's daemon. Returns its output. */
async function run(dir, name, text) {
  assert.ok(text.includes(network), "the example uses a network's daemon");
  const { code } = await transform(
    text
      .replaceAll(network, here)
      .replaceAll('from "glim"', `from ${JSON.stringify(pathToFileURL(join(sdk, "dist", "node.js")).href)}`),
    { loader: "ts", format: "esm" },
  );
  const file = join(dir, `${name}.mjs`);
  writeFileSync(file, code);
  const { stdout } = await exec(process.execPath, [file], { timeout: patience });
  assert.notEqual(stdout, "", `${name} says something`);
  return stdout;
}

test("the examples of the guide for users of monero-ts", async (t) => {
  const dir = folder(t);
  const all = blocks("MIGRATING.md", "ts");
  await compile(dir, all);
  await Promise.all(all.map((text, n) => run(dir, `block${n}`, text)));
});

// The other blocks of the README continue the first: they make a payment, ask the user to confirm it, and so on. In a
// page the engine ends with the page; here it is stopped.
test("the examples of the package's README and of the main one", async (t) => {
  const dir = folder(t);
  // connect.test.mjs, openalias.test.mjs and next.test.mjs run these, beside a service, a resolver, and after a fork.
  const elsewhere = (text) => /Glim\.connect|glim\/openalias|forkHeight/.test(text);
  const [begin, pay, ...more] = blocks("README.md", "js").filter((text) => !elsewhere(text));
  const rest = more.join("");
  const [main, ...others] = blocks(join("..", "..", "README.md"), "js");
  assert.deepEqual(others, []);
  await compile(dir, [begin + pay + rest, main, ...blocks("README.md", "js").filter(elsewhere)]);
  const money = `const { address } = (await wallet.addresses())[0];
await glim.daemon.generateblocks({ amount_of_blocks: 80n, wallet_address: address, starting_nonce: 0 });
await wallet.sync();
globalThis.confirm = (text) => (console.log(text), true);
`;
  const to = '"monero:4…?tx_amount=1.5"';
  assert.ok(pay.includes(to), "it pays to a payment link");
  const end = "\nconsole.log((await wallet.history()).length);\nawait glim.stop();\n";
  const [said] = await Promise.all([
    run(dir, "page", begin + money + pay.replace(to, '"monero:" + address + "?tx_amount=1.5"') + rest + end),
    run(dir, "main", `${main}await glim.stop();\n`),
  ]);
  assert.match(said, /^Fee: 0\.\d+$/m);
  assert.match(said, /^WrongPassword$/m);
});

test("every public name has a doc comment", () => {
  const exported = /^export (declare )?(class|interface|type|function|const) \w+/;
  const member = /^ {4}(static |readonly )*(?!private|constructor|readonly|static|#)\w+\??[(:<]/;
  for (const file of [
    "address-book",
    "cold",
    "errors",
    "event-stream",
    "events",
    "glim",
    "history",
    "money",
    "multisig",
    "openalias",
    "operation",
    "proofs",
    "react",
    "remote",
    "send",
    "wallet",
  ]) {
    const lines = readFileSync(join(sdk, "dist", "types", `${file}.d.ts`), "utf8").split("\n");
    const bare = lines.filter(
      (line, i) => (exported.test(line) || member.test(line)) && !lines[i - 1]?.trim().endsWith("*/"),
    );
    assert.deepEqual(bare, [], file);
  }
});
