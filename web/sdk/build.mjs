// Builds the package into dist/: scripts, types and WebAssembly programs. Needs Go and the packages in
// package-lock.json.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { pack } from "./pack/pack.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const dist = join(here, "dist");
const run = (command, args, env = {}) =>
  execFileSync(command, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
    encoding: "utf8",
  });

rmSync(join(dist, "types"), { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

// Inlining makes programs faster but larger, so only the packages where most time is spent are compiled with it.
const copied = [
  "runtime",
  "internal/...",
  "math/bits",
  "encoding/binary",
  "golang.org/x/...",
  "filippo.io/edwards25519/field",
  "glim/core/crypto/edwards/...",
  "glim/core/crypto/keccak",
  "glim/core/scan",
];
/** Further ones that make proofs of the next hard fork. */
const proving = [
  "glim/core/crypto/helioselene",
  "glim/core/crypto/generalizedbulletproofs",
  "glim/core/crypto/ecdivisors",
  "glim/core/crypto/curvetree",
  "glim/core/internal/crypto/field25519",
];
const small = (packages) => ["-gcflags=all=-l", ...packages.map((p) => `-gcflags=${p}=`)];
const wasm = { GOOS: "js", GOARCH: "wasm", CGO_ENABLED: "0" };
// Pages download the second and the last program only for chains with the next hard fork.
for (const [name, program, packages, ...tags] of [
  ["glim.wasm", "./wasm/browser", copied, "-tags=nocarrot"],
  ["glim-next.wasm", "./wasm/browser", [...copied, ...proving]],
  ["daemon.wasm", "./wasm/daemon", copied, "-tags=nocarrot"],
  ["daemon-next.wasm", "./wasm/daemon", [...copied, ...proving]],
]) {
  run(
    "go",
    [
      "build",
      "-trimpath",
      "-buildvcs=false",
      "-ldflags=-s -w -buildid=",
      ...small(packages),
      ...tags,
      "-o",
      join(dist, name),
      program,
    ],
    wasm,
  );
  const { program: packed, names } = pack(readFileSync(join(dist, name)));
  writeFileSync(join(dist, name), packed);
  writeFileSync(join(dist, `${name}.names`), `${names.join("\n")}\n`); // to look up the functions of a stack trace
}
// Go's own support script, from the compiler that built the programs.
const support = join(run("go", ["env", "GOROOT"]).trim(), "lib", "wasm", "wasm_exec.js");

for (const [kind, owner] of [
  ["seeds", "mnemonic"],
  ["polyseeds", "polyseed"],
]) {
  const from = join(root, "core", owner, "languages", "wordlists");
  cpSync(from, join(dist, "words", kind), {
    recursive: true,
    filter: (name) => name === from || name.endsWith(".txt"),
  });
}

/** Replaces one module of this folder by another. */
const instead = (from, to) => ({
  name: "instead",
  setup(b) {
    b.onResolve({ filter: new RegExp(`^\\./${from}\\.js$`) }, ({ importer }) =>
      importer.endsWith(`${to}.ts`) ? undefined : { path: join(here, "src", `${to}.ts`) },
    );
  },
});
const common = {
  bundle: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
  absWorkingDir: here,
};
await Promise.all([
  // Pages that do not call Glim.connect do not download remote.js.
  build({ ...common, entryPoints: ["src/index.ts"], external: ["./remote.js"], outfile: "dist/index.js" }),
  build({ ...common, minify: true, entryPoints: ["src/remote.ts"], outfile: "dist/remote.js" }),
  build({ ...common, entryPoints: ["src/provider.ts"], outfile: "dist/provider.js" }),
  build({ ...common, minify: true, entryPoints: ["src/openalias.ts"], outfile: "dist/openalias.js" }),
  build({ ...common, minify: true, entryPoints: ["src/pay-button.ts"], outfile: "dist/pay-button.js" }),
  build({
    ...common,
    minify: true,
    entryPoints: ["src/react.ts"],
    external: ["react"],
    banner: { js: '"use client";' }, // frameworks with server components load it in pages
    outfile: "dist/react.js",
  }),
  build({ ...common, minify: true, entryPoints: ["src/worker.ts"], inject: [support], outfile: "dist/worker.js" }),
  build({
    ...common,
    entryPoints: ["src/index.ts"],
    outfile: "dist/node.js",
    platform: "node",
    target: "node20",
    plugins: [instead("platform", "platform-node"), instead("http", "http-node")],
  }),
  build({
    ...common,
    minify: true,
    entryPoints: ["src/worker-node.ts"],
    inject: [support],
    outfile: "dist/node-worker.js",
    platform: "node",
    target: "node20",
  }),
]);
run(process.execPath, [join(here, "node_modules", "typescript", "bin", "tsc"), "-p", here]);

// The licences of third-party code in the programs must be distributed with them.
const parts = new Map([
  ["The Go programming language and its standard library", join(run("go", ["env", "GOROOT"]).trim(), "LICENSE")],
]);
const modules = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}";
for (const line of run("go", ["list", "-deps", "-f", modules, "./wasm/browser", "./wasm/daemon"], wasm)
  .split("\n")
  .filter(Boolean)) {
  const [name, folder] = line.split("\t");
  parts.set(name, join(folder, "LICENSE"));
}
const drawer = JSON.parse(readFileSync(join(here, "node_modules", "uqr", "package.json"), "utf8"));
parts.set(`uqr ${drawer.version}`, join(here, "node_modules", "uqr", "LICENSE")); // in pay-button.js
const licences = [...parts].map(([name, file]) => `${name}\n\n${readFileSync(file, "utf8").trim()}\n`);
writeFileSync(join(dist, "LICENSES.txt"), licences.join(`\n${"-".repeat(80)}\n\n`));

// Checksums of the files, for sha256sum -c SHA256SUMS.
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((f) => f.isFile() && f.name !== "SHA256SUMS")
  .map((f) =>
    join(f.parentPath, f.name)
      .slice(dist.length + 1)
      .split(sep)
      .join("/"),
  )
  .sort();
const sums = files.map(
  (name) =>
    `${createHash("sha256")
      .update(readFileSync(join(dist, name)))
      .digest("hex")}  ${name}\n`,
);
writeFileSync(join(dist, "SHA256SUMS"), sums.join(""));
