// Builds the extension into dist/chromium and dist/firefox, ready to be loaded unpacked. The package in ../sdk must be
// built first.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { licences } from "../wallet/licences.mjs";
import { mark } from "../wallet/mark.mjs";
import { iconSizes, locales, manifest } from "./manifest.mjs";
import { noticeTexts } from "./notice-texts.mjs";

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
    <link rel="icon" href="./icon-32.png" type="image/png" />
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
    // The wallet's pages are bundled here with this folder's modules, so its tsconfig applies to them as well.
    tsconfig: join(here, "tsconfig.json"),
  };
  // The pages share their code, and load the languages when they need them.
  await build({
    ...common,
    splitting: true,
    chunkNames: "chunk-[hash]",
    entryPoints: ["src/page.tsx", "src/consent.tsx", "src/sites.tsx"],
  });
  await build({ ...common, entryPoints: ["src/background.ts", "src/engine.ts"] });
  for (const list of ["nodes.json", "rates.json"]) cpSync(join(here, "..", "wallet", "public", list), join(out, list));
  const icon = `data:image/svg+xml;base64,${readFileSync(join(here, "../wallet/public/mark.svg")).toString("base64")}`;
  await build({
    ...common,
    format: "iife",
    entryPoints: ["src/content.ts", "src/inpage.ts", "src/links.ts"],
    define: { ICON: JSON.stringify(icon) },
  });
  for (const name of ["worker.js", "glim.wasm", "glim-next.wasm", "daemon.wasm", "daemon-next.wasm", "words"])
    cpSync(join(sdk, name), join(out, name), { recursive: true });
  for (const [page, script] of [
    ["popup", "page"],
    ["panel", "page"],
    ["page", "page"],
    ["consent", "consent"],
    ["sites", "sites"],
    ["engine", "engine"],
  ]) {
    if (page === "engine" && browser === "firefox") continue;
    writeFileSync(join(out, `${page}.html`), html(page, script, "glim"));
  }
  writeFileSync(join(out, "LICENSES.txt"), licences(here));
  // A popup is as large as its content. In a tab, as on phones, the same page fills the window.
  writeFileSync(join(out, "popup.css"), "html:not([data-tab]) { width: 380px; height: 600px; }\n");
  for (const size of iconSizes) writeFileSync(join(out, `icon-${size}.png`), mark(size));
  for (const [locale, texts] of Object.entries(locales)) {
    mkdirSync(join(out, "_locales", locale), { recursive: true });
    const all = { ...texts, ...noticeTexts(locale) };
    const messages = Object.fromEntries(Object.entries(all).map(([name, message]) => [name, { message }]));
    writeFileSync(join(out, "_locales", locale, "messages.json"), `${JSON.stringify(messages, null, 2)}\n`);
  }
  writeFileSync(join(out, "manifest.json"), `${JSON.stringify(manifest(browser, version), null, 2)}\n`);
}
