// The licences of bundled packages must be distributed with the app.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the licences of everything that the package in folder bundles, including the parts of glim, as one text. */
export function licences(folder) {
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = Object.keys(dependencies).map((name) => {
    const at = join(folder, "node_modules", name);
    if (name === "glim") return readFileSync(join(at, "dist", "LICENSES.txt"), "utf8");
    const { version } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
    return `${name} ${version}\n\n${readFileSync(join(at, "LICENSE"), "utf8").trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
