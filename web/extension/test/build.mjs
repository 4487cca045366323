// Builds the unit tests into dist/test, one program per file, for `node --test`.
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "dist", "test");
rmSync(out, { recursive: true, force: true });
await build({
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "warning",
  outdir: out,
  outExtension: { ".js": ".mjs" },
  entryPoints: readdirSync(here)
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(here, name)),
});
