// The hooks of glim/react, in React 18 and 19 and in strict mode, with wallets made of functions; then the example of
// the README, with an engine and a private chain.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";

import { build } from "esbuild";
import { Window } from "happy-dom";

import { exec, folder, patience, sdk, wait } from "./tools.mjs";

const versions = { 18: join(sdk, "test", "react-18", "node_modules"), 19: join(sdk, "node_modules") };

/** Bundles a script with one version of React, and runs it. Returns what it exports. */
async function load(t, version, script, name = "script.tsx") {
  const outfile = join(folder(t), "bundle.cjs");
  await build({
    stdin: { contents: script, resolveDir: sdk, sourcefile: name, loader: "tsx" },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"development"' }, // strict mode mounts twice only in development
    alias: {
      react: join(versions[version], "react"),
      "react-dom": join(versions[version], "react-dom"),
      "glim/react": join(sdk, "dist", "react.js"),
    },
    external: ["glim"],
    outfile,
    logLevel: "error",
  });
  const require = createRequire(import.meta.url);
  return require(outfile);
}

/** A document in which React renders. */
function page(t) {
  const window = new Window();
  const before = ["window", "document"].map((name) => [name, globalThis[name]]);
  Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true });
  t.after(async () => {
    Object.assign(globalThis, Object.fromEntries(before));
    await window.happyDOM.close();
  });
  const root = window.document.createElement("div");
  window.document.body.append(root);
  return root;
}

const parts = `
export * as React from "react";
export { createRoot } from "react-dom/client";
export { renderToString } from "react-dom/server";
export * as hooks from "glim/react";
`;

/** Polls until check passes. */
async function until(check) {
  for (const end = Date.now() + patience; ; await wait(10)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** A wallet made of functions. listening counts its listeners; tell calls those of a name. */
function fake(name) {
  const listeners = new Set();
  const wallet = {
    name,
    asked: 0,
    total: 5n,
    sent: 0,
    discarded: 0,
    closed: 0,
    fails: undefined,
    get listening() {
      return listeners.size;
    },
    tell: (of, value) => {
      for (const l of [...listeners]) if (l.of === of) l.hear(value);
    },
    on: (of, hear) => {
      const l = { of, hear };
      listeners.add(l);
      return () => listeners.delete(l);
    },
    balance: async () => {
      wallet.asked++;
      if (wallet.fails) throw wallet.fails;
      return { total: wallet.total, unlocked: 0n, blocksToUnlock: 0, timeToUnlock: 0 };
    },
    addresses: async (account) => [{ account, index: 0, address: `${name} ${account}`, label: "", used: false }],
    history: async ({ types }) => [{ txid: name, types }],
    height: async () => 3,
    sync: async () => {
      wallet.tell("sync", { height: 4, target: 8 });
      if (wallet.fails) throw wallet.fails;
      return { blocks: 8, received: false };
    },
    send: async (what) => {
      if (wallet.fails) throw wallet.fails;
      return {
        fee: what.amount,
        confirm: async () => {
          if (wallet.fails) throw wallet.fails;
          wallet.sent++;
          return ["id"];
        },
        discard: () => wallet.discarded++,
      };
    },
    close: async () => {
      wallet.closed++;
      wallet.tell("closed");
    },
  };
  return wallet;
}

for (const version of [18, 19]) {
  test(`React ${version}: the hooks follow a wallet, in strict mode`, async (t) => {
    const { React, createRoot, renderToString, hooks } = await load(t, version, parts);
    assert.ok(React.version.startsWith(`${version}.`));
    const { createElement: h, StrictMode, act } = React;
    const [one, two] = [fake("one"), fake("two")];
    let [started, stopped] = [0, 0];
    const glim = {
      open: async (name, password) => {
        if (password !== "p") throw new Error("the password is wrong");
        return name === "one" ? one : two;
      },
      stop: async () => stopped++,
    };
    const start = async () => {
      started++;
      return glim;
    };
    let got;
    const Shown = () => {
      got = {
        glim: hooks.useGlim(),
        wallet: hooks.useWallet(),
        balance: hooks.useBalance(),
        addresses: hooks.useAddresses({ account: 1 }),
        history: hooks.useHistory({ types: ["in"] }),
        sync: hooks.useSync(),
        pay: hooks.usePay(),
      };
      return h("p", null, got.balance.value ? `${got.balance.value.total}` : "nothing");
    };
    const app = h(StrictMode, null, h(hooks.GlimProvider, { start }, h(Shown)));

    assert.equal(renderToString(app), "<p>nothing</p>");
    assert.equal(started, 0, "a server starts no engine");
    assert.throws(() => renderToString(h(Shown)), /not inside a GlimProvider/);

    const place = page(t);
    const root = createRoot(place);
    await act(async () => root.render(app));
    assert.equal(started, 1);
    assert.equal(got.glim.glim, glim);
    assert.equal(got.wallet.busy, false);

    await act(() => got.wallet.open("one", "wrong"));
    assert.match(got.wallet.error.message, /the password is wrong/);
    await act(() => got.wallet.open("one", "p"));
    assert.equal(got.wallet.wallet, one);
    assert.equal(got.wallet.error, undefined);
    assert.equal(place.textContent, "5");
    assert.equal(got.addresses.value[0].address, "one 1");
    assert.deepEqual(got.history.value, [{ txid: "one", types: ["in"] }]);
    assert.equal(got.sync.height, 3);
    assert.equal(got.sync.done, undefined);

    const asked = one.asked;
    one.total = 6n;
    await act(async () => {
      for (let i = 0; i < 50; i++) one.tell("transfer", {});
    });
    assert.equal(place.textContent, "6");
    assert.ok(one.asked - asked <= 2, `${one.asked - asked} readings for events at one moment`);
    one.fails = new Error("the disk is full");
    await act(async () => one.tell("height", 4));
    assert.match(got.balance.error.message, /full/);
    assert.equal(got.balance.value.total, 6n, "the value before is kept");
    await act(() => got.sync.sync());
    assert.match(got.sync.error.message, /full/);
    assert.equal(got.sync.done, 0.5);
    await act(() => got.pay.prepare({ to: "4", amount: 7n }));
    assert.equal(got.pay.status, "failed");
    one.fails = undefined;
    await act(() => got.sync.sync());
    assert.deepEqual([got.sync.done, got.sync.syncing, got.sync.error], [1, false, undefined]);

    await act(() => got.pay.prepare({ to: "4", amount: 7n }));
    assert.deepEqual([got.pay.status, got.pay.preview.fee, got.pay.error], ["ready", 7n, undefined]);
    await act(() => got.pay.prepare({ to: "4", amount: 8n }));
    assert.equal(one.discarded, 1, "the preview before is discarded");
    one.fails = new Error("no daemon");
    await act(() => got.pay.confirm());
    assert.deepEqual([got.pay.status, got.pay.error], ["failed", one.fails]);
    one.fails = undefined;
    await act(() => Promise.all([got.pay.confirm(), got.pay.confirm()]));
    assert.deepEqual([got.pay.status, got.pay.txids, one.sent], ["sent", ["id"], 1]);
    await act(async () => got.pay.discard());
    assert.equal(got.pay.status, "idle");

    await act(() => got.wallet.open("two", "p"));
    assert.deepEqual([one.closed, one.listening], [1, 0]);
    assert.equal(got.wallet.wallet, two);
    assert.equal(got.addresses.value[0].address, "two 1");
    await act(() => got.wallet.open("two", "p"));
    assert.equal(two.closed, 0, "the open wallet stays open");
    await act(() => got.pay.prepare({ to: "4", amount: 7n }));
    await act(async () => root.unmount());
    assert.ok(two.discarded > 0, "the preview ends with its component");
    await until(() => assert.equal(stopped, 1));
    assert.equal(two.listening, 0);
    assert.equal(started, 1);
  });
}

test("a component that changes its wallet never shows the one before", async (t) => {
  const { React, createRoot, hooks } = await load(t, 19, parts);
  const { createElement: h, act } = React;
  const [one, two] = [fake("one"), fake("two")];
  two.balance = () => new Promise(() => undefined);
  const seen = [];
  const Shown = ({ wallet }) => {
    const { value } = hooks.useBalance({ wallet });
    seen.push([wallet.name, value?.total]);
    return null;
  };
  page(t);
  const root = createRoot(globalThis.document.createElement("div"));
  await act(async () => root.render(h(Shown, { wallet: one })));
  await act(async () => root.render(h(Shown, { wallet: two })));
  assert.deepEqual(seen.at(-1), ["two", undefined]);
  assert.ok(!seen.some(([name, total]) => name === "two" && total !== undefined));
  assert.ok(seen.some(([name, total]) => name === "one" && total === 5n));
  assert.equal(one.listening, 0);
  await act(async () => root.unmount());
  assert.equal(two.listening, 0);
});

test("an engine that does not start, and one that starts after its component is gone", async (t) => {
  const { React, createRoot, hooks } = await load(t, 19, parts);
  const { createElement: h, act } = React;
  page(t);
  let error;
  const Shown = () => {
    ({ error } = hooks.useGlim());
    return null;
  };
  const root = createRoot(globalThis.document.createElement("div"));
  const start = () => {
    throw new Error("no memory");
  };
  await act(async () => root.render(h(hooks.GlimProvider, { start }, h(Shown))));
  assert.match(error.message, /no memory/);
  let go;
  let stopped = 0;
  const late = () => new Promise((resolve) => (go = resolve));
  await act(async () => root.render(h(hooks.GlimProvider, { start: late, key: "late" }, h(Shown))));
  assert.equal(error, undefined);
  await act(async () => root.unmount());
  go({ stop: async () => stopped++ });
  await until(() => assert.equal(stopped, 1));
});

/** The example of the README. */
const [example] = [...readFileSync(join(sdk, "README.md"), "utf8").matchAll(/^```tsx\n([\s\S]*?)^```$/gm)].map(
  (m) => m[1],
);

test("the README's example compiles with the types of React 18 and 19", async (t) => {
  for (const version of [18, 19]) {
    const dir = folder(t);
    writeFileSync(join(dir, "example.tsx"), example);
    const options = {
      target: "ES2022",
      module: "ESNext",
      moduleResolution: "Bundler",
      lib: ["ES2023", "DOM"],
      jsx: "react-jsx",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noUnusedLocals: true,
      noEmit: true,
      types: [],
      paths: {
        glim: [join(sdk, "dist", "types", "index.d.ts")],
        "glim/react": [join(sdk, "dist", "types", "react.d.ts")],
        react: [join(versions[version], "@types", "react")],
        "react/jsx-runtime": [join(versions[version], "@types", "react", "jsx-runtime.d.ts")],
      },
    };
    writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["example.tsx"] }));
    await exec(process.execPath, [join(sdk, "node_modules", "typescript", "bin", "tsc"), "-p", dir]).catch((e) =>
      assert.fail(e.stdout),
    );
  }
});

test("the README's example creates a wallet and pays on a private chain", async (t) => {
  const network = '{ network: "mainnet", daemon: "https://node.example:18089" }';
  const here = '{ network: "regtest", daemon: "embedded:", database: "", workers: 0, kdf: { time: 1, memory: 64 } }';
  const [imports, to] = ['import { Glim, formatXMR } from "glim";', 'to="4…"'];
  for (const part of [network, imports, to]) assert.ok(example.includes(part), part);
  const own = await import("../dist/node.js");
  let engine;
  const start = async (options) => {
    engine = await own.Glim.start(options);
    return engine;
  };
  globalThis.glimOfTheTest = { Glim: { start }, formatXMR: own.formatXMR };
  t.after(() => delete globalThis.glimOfTheTest);
  const text = example
    .replace(network, here)
    .replace(imports, "const { Glim, formatXMR } = globalThis.glimOfTheTest;")
    .replace(to, "to={addresses?.[0]?.address ?? ''}");
  const { React, createRoot, App } = await load(t, 19, text + parts);
  const place = page(t);
  globalThis.IS_REACT_ACT_ENVIRONMENT = false; // the engine answers when it does
  const root = createRoot(place);
  root.render(React.createElement(App));
  const click = (label) =>
    until(() => {
      const button = [...place.querySelectorAll("button")].find((b) => label.test(b.textContent) && !b.disabled);
      assert.ok(button, `${label} in ${place.innerHTML}`);
      button.click();
    });
  await click(/^Create$/);
  const address = await until(() => {
    const [, found] = place.innerHTML.match(/<p>(4[1-9A-HJ-NP-Za-km-z]{94})<\/p>/) ?? [];
    assert.ok(found, place.innerHTML);
    return found;
  });
  await engine.daemon.generateblocks({ amount_of_blocks: 80n, wallet_address: address, starting_nonce: 0 });
  await click(/^Scan/);
  await until(() => assert.match(place.textContent, /[1-9]\d*\.\d+ XMRScan \(100 %\)/));
  await click(/^Donate$/);
  await click(/^Send, for a fee of 0\.\d+$/);
  await until(() => assert.match(place.textContent, /Sent: [0-9a-f]{64}$/));
  root.unmount();
  await until(() => assert.rejects(engine.wallets(), { reason: "EngineEnded" }));
});
