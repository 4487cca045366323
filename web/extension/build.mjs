// Builds the extension into dist/chromium and dist/firefox, ready to be loaded unpacked. Needs the package in ../sdk to be built.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync, crc32 } from "node:zlib";

import { build } from "esbuild";

import { licences } from "../wallet/licences.mjs";
import { manifest } from "./manifest.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const sdk = join(here, "..", "sdk", "dist");
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
if (!existsSync(join(sdk, "glim.wasm"))) throw new Error("build ../sdk first: node ../sdk/build.mjs");

const html = (page, script, title) => `<!doctype html>
<html lang="en" data-page="${page}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    ${page === "engine" ? "" : `<link rel="stylesheet" href="./${script}.css" />`}
    ${page === "popup" ? '<link rel="stylesheet" href="./popup.css" />' : ""}
    <script type="module" src="./${script}.js"></script>
  </head>
  <body>
    <div id="app"></div>
  </body>
</html>
`;

for (const browser of ["chromium", "firefox"]) {
  const out = join(here, "dist", browser);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const common = {
    bundle: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    logLevel: "warning",
    absWorkingDir: here,
    outdir: out,
    minifySyntax: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".woff2": "file" },
    assetNames: "[name]",
    // The pages of the wallet are built here, with the modules of this folder: its paths hold for them, too.
    tsconfig: join(here, "tsconfig.json"),
  };
  await build({ ...common, entryPoints: ["src/page.tsx", "src/consent.tsx", "src/sites.tsx", "src/background.ts", "src/engine.ts"] });
  await build({ ...common, format: "iife", entryPoints: ["src/content.ts", "src/inpage.ts"] });
  for (const name of ["worker.js", "glim.wasm", "daemon.wasm", "words"]) cpSync(join(sdk, name), join(out, name), { recursive: true });
  for (const [page, script] of [["popup", "page"], ["panel", "page"], ["page", "page"], ["consent", "consent"], ["sites", "sites"], ["engine", "engine"]]) {
    if (page === "engine" && browser === "firefox") continue;
    writeFileSync(join(out, `${page}.html`), html(page, script, "glim"));
  }
  writeFileSync(join(out, "LICENSES.txt"), licences(here));
  // A popup is as large as what is in it.
  writeFileSync(join(out, "popup.css"), "html { width: 380px; height: 600px; }\n");
  writeFileSync(join(out, "icon.png"), icon(128));
  writeFileSync(join(out, "manifest.json"), `${JSON.stringify(manifest(browser, version), null, 2)}\n`);
}

/** The mark as a PNG: a ring of light on deep green. */
function icon(size) {
  const rows = [];
  const centre = (size - 1) / 2;
  for (let y = 0; y < size; y++) {
    const row = Buffer.alloc(1 + 4 * size);
    for (let x = 0; x < size; x++) {
      const r = Math.hypot(x - centre, y - centre) / (size / 2);
      const inside = Math.min(1, Math.max(0, (0.98 - r) * size / 4));
      const ring = Math.min(1, Math.max(0, (0.13 - Math.abs(r - 0.52)) * size / 4));
      const mix = (a, b) => Math.round(a + (b - a) * ring);
      row.set([mix(15, 242), mix(74, 163), mix(63, 58), Math.round(255 * inside)], 1 + 4 * x);
    }
    rows.push(row);
  }
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const length = Buffer.alloc(4), sum = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.concat(rows))), chunk("IEND", Buffer.alloc(0))]);
}
