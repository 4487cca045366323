// The packed package is installed into minimal projects without configuration, and what each project builds runs.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, test } from "node:test";

import { build as esbuild } from "esbuild";
import { build as vite, createServer } from "vite";
import webpack from "webpack";

import { browser, context, exec, folder, sdk, serve } from "./tools.mjs";

const app = `import { Glim, GlimError, formatXMR } from "glim";

export async function run() {
  const glim = await Glim.start({ network: "stagenet", database: "", workers: 1, kdf: { time: 1, memory: 64 } });
  const wallet = await glim.create({ name: "wallet", password: "p", language: "Italian" });
  const { total } = await wallet.balance();
  const [first] = await wallet.addresses();
  const { valid, nettype } = await wallet.rpc.validateAddress({ address: first?.address ?? "" });
  const words = (await wallet.seed()).split(" ").length;
  const kind = (e: unknown) => (e instanceof GlimError ? e.kind : "other");
  const wrong = await glim.open("wallet", "q").then(() => "", kind);
  await glim.stop();
  return [formatXMR(total), valid, nettype, words, wrong].join(" ");
}
`;
const expected = "0 true stagenet 25 contract";
const page = (script) => `<!doctype html><meta charset="utf-8"><title></title>${script}`;
const show = `import { run } from "./app.js";
run().then((text) => (document.title = text), (error) => (document.title = String(error)));
`;
const javascript = app.replace(": unknown", "");

let tarball;
let packedNames;
let started;

/** A project with the package installed, and the app. */
async function project(t, files) {
  const dir = folder(t);
  writeFileSync(join(dir, "package.json"), '{ "name": "app", "private": true, "type": "module" }');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  await exec("npm", ["install", "--ignore-scripts", "--offline", "--no-audit", "--no-fund", tarball], { cwd: dir });
  return dir;
}

/** Opens the page and waits for the app's output. */
async function opened(t, url) {
  const tab = await started.newPage();
  t.after(() => tab.close());
  const trouble = [];
  tab.on("console", (m) => m.type() === "error" && trouble.push(m.text()));
  await tab.goto(url);
  await tab.waitForFunction(() => document.title !== "");
  assert.equal(await tab.title(), expected, trouble.join("\n"));
}

before(async (t) => {
  const dir = folder(t);
  const { stdout } = await exec("npm", ["pack", "--json", "--pack-destination", dir], { cwd: sdk });
  const [packed] = JSON.parse(stdout);
  const names = packed.files.map((f) => f.path);
  packedNames = names;
  for (const name of [
    "dist/index.js",
    "dist/worker.js",
    "dist/node.js",
    "dist/glim.wasm",
    "dist/daemon.wasm",
    "dist/glim-next.wasm",
    "dist/daemon-next.wasm",
    "dist/types/index.d.ts",
    "dist/LICENSES.txt",
    "README.md",
  ])
    assert.ok(names.includes(name), name);
  assert.ok(
    names.every((n) => n.startsWith("dist/") || ["package.json", "README.md", "MIGRATING.md"].includes(n)),
    names.join(" "),
  );
  tarball = join(dir, packed.filename);
  started = await context(await browser(t));
});

test("package.json names files that are packed, and what it must for a publication", async () => {
  const meta = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8"));
  const leaves = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(leaves));
  const named = [...leaves(meta.exports), meta.types, ...meta.sideEffects.filter((name) => name.startsWith("./dist/"))];
  assert.deepEqual(
    named.map((name) => name.replace("./", "")).filter((name) => !packedNames.includes(name)),
    [],
  );
  for (const conditions of Object.values(meta.exports))
    if (typeof conditions !== "string") assert.equal(Object.keys(conditions)[0], "types", "types must come first");
  // Only these scripts do something when they are loaded; bundlers may drop unused imports of the others.
  const scripts = packedNames.filter((name) => /^dist\/[^/]*\.js$/.test(name)).map((name) => `./${name}`);
  const pure = scripts.filter((name) => !meta.sideEffects.includes(name)).map((name) => name.slice("./dist/".length));
  assert.deepEqual(pure.sort(), ["index.js", "node.js", "openalias.js", "provider.js", "react.js", "remote.js"]);
  assert.deepEqual(meta.publishConfig, { access: "public", provenance: true });
  assert.equal(meta.dependencies, undefined);
  assert.deepEqual(Object.keys(meta.peerDependencies), Object.keys(meta.peerDependenciesMeta));
  assert.deepEqual(meta.engines, { node: ">=20" });
});

// When the owner chooses a licence, all these files change together.
test("every package states that no licence has been chosen", () => {
  const repository = join(sdk, "..", "..");
  const packages = [
    "web/sdk",
    "web/sdk/bench",
    "web/sdk/test/react-18",
    "web/sdk/recipes/sveltekit",
    "web/sdk/recipes/vite",
    "web/wallet",
    "web/extension",
    "web/docs",
    "wasm/worker",
    "bindings/dropin",
  ];
  for (const folder of packages) {
    const read = (name) => JSON.parse(readFileSync(join(repository, folder, name), "utf8"));
    const locked = read("package-lock.json").packages;
    const said = [read("package.json"), locked[""], locked["../sdk"] ?? locked[""]].map((p) => p.license);
    assert.deepEqual(said, Array(3).fill("UNLICENSED"), folder);
  }
  const readme = (folder) => readFileSync(join(repository, folder, "README.md"), "utf8").replace(/\s+/g, " ");
  for (const folder of [".", "web/sdk", "web/extension", "mobile"]) {
    assert.match(readme(folder), /has not chosen a licence yet: until then all rights are reserved/, folder);
  }
});

test("a plain page", async (t) => {
  const dir = await project(t, {
    "index.html": page(
      '<script type="importmap">{ "imports": { "glim": "/node_modules/glim/dist/index.js" } }</script>' +
        '<script type="module" src="main.js"></script>',
    ),
    "main.js": show,
    "app.js": javascript,
  });
  await opened(t, await serve(t, { "/": dir }));
});

test("Vite, built and in development", async (t) => {
  const dir = await project(t, {
    "index.html": page('<script type="module" src="main.js"></script>'),
    "main.js": show,
    "app.ts": app,
  });
  await vite({ root: dir, logLevel: "error" });
  await opened(t, await serve(t, { "/": join(dir, "dist") }));
  const server = await createServer({ root: dir, logLevel: "error", server: { host: "127.0.0.1", port: 0 } });
  t.after(() => server.close());
  await server.listen();
  await opened(t, server.resolvedUrls.local[0]);
});

test("webpack", async (t) => {
  const dir = await project(t, { "main.js": show, "app.js": javascript });
  mkdirSync(join(dir, "dist"));
  writeFileSync(join(dir, "dist", "index.html"), page('<script src="main.js"></script>'));
  const stats = await new Promise((resolve, reject) => {
    webpack(
      { context: dir, mode: "production", entry: "./main.js", output: { path: join(dir, "dist") } },
      (error, s) => (error ? reject(error) : resolve(s)),
    );
  });
  assert.ok(!stats.hasErrors(), stats.toString({ all: false, errors: true }));
  await opened(t, await serve(t, { "/": join(dir, "dist") }));
});

test("esbuild, with the package's files next to its output", async (t) => {
  const dir = await project(t, { "main.js": show, "app.ts": app });
  await esbuild({
    absWorkingDir: dir,
    entryPoints: ["main.js"],
    bundle: true,
    format: "esm",
    outdir: "dist",
    logLevel: "error",
  });
  await exec(
    "cp",
    [
      "-r",
      "node_modules/glim/dist/worker.js",
      "node_modules/glim/dist/glim.wasm",
      "node_modules/glim/dist/words",
      "dist",
    ],
    { cwd: dir },
  );
  writeFileSync(join(dir, "dist", "index.html"), page('<script type="module" src="main.js"></script>'));
  await opened(t, await serve(t, { "/": join(dir, "dist") }));
});

test("bundles leave out what a page does not use", async (t) => {
  const dir = await project(t, { "main.js": 'import { formatXMR } from "glim";\nconsole.log(formatXMR(5n));\n' });
  const { outputFiles } = await esbuild({
    absWorkingDir: dir,
    entryPoints: ["main.js"],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  const size = outputFiles[0].text.length;
  assert.ok(size < 1000, `${size} characters`);
});

test("Node", async (t) => {
  const dir = await project(t, {
    "main.js": 'import { run } from "./app.js";\nconsole.log(await run());\n',
    "app.js": javascript,
  });
  const { stdout } = await exec(process.execPath, ["main.js"], { cwd: dir });
  assert.equal(stdout.trim(), expected);
});

test("TypeScript in strict mode, with the module resolution of bundlers and of Node", async (t) => {
  const dir = await project(t, { "app.ts": app });
  const tsc = createRequire(import.meta.url)
    .resolve("typescript/package.json")
    .replace("package.json", "bin/tsc");
  for (const [module, moduleResolution] of [
    ["ESNext", "Bundler"],
    ["NodeNext", "NodeNext"],
  ]) {
    const options = {
      module,
      moduleResolution,
      target: "ES2022",
      lib: ["ES2022", "DOM"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["app.ts"] }));
    await exec(process.execPath, [tsc, "-p", "."], { cwd: dir }).catch((e) => assert.fail(e.stdout));
  }
});
