// The guides that become pages of the site, and the copies of them that TypeDoc reads.
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** The guides by group, as paths from the root of the repository. The first page of the site is README.md. */
export const groups = {
  "For pages and Node": [
    "web/sdk/README.md",
    "web/sdk/MIGRATING.md",
    "web/extension/PROVIDER.md",
    "web/wallet/README.md",
    "web/extension/README.md",
    "examples/README.md",
  ],
  "For programs and operators": [
    "bindings/TERMINAL.md",
    "bindings/SERVICE.md",
    "bindings/MIGRATING.md",
    "bindings/DIFFERENCES.md",
    "bindings/OPERATING.md",
    "bindings/DAEMON.md",
    "bindings/LWS.md",
    "bindings/EMBEDDING.md",
    "mobile/README.md",
    "wasm/worker/README.md",
  ],
  "About the engine": [
    "core/SECURITY.md",
    "core/ARCHITECTURE.md",
    "core/CAPABILITIES.md",
    "core/BENCHMARKS.md",
    "core/CHANGELOG.md",
    "core/carrot/README.md",
    "core/fcmp/README.md",
    ".github/CONTRIBUTING.md",
    ".github/SECURITY.md",
  ],
};

/** Calls change with each line that is not in a code block, and returns the text with the results. */
function outsideCode(text, change) {
  let fence = "";
  return text
    .split("\n")
    .map((line) => {
      const [, mark] = line.match(/^\s*(```+|~~~+)/) ?? [];
      if (mark && !fence) fence = mark;
      else if (mark?.startsWith(fence)) fence = "";
      else if (!fence) return change(line);
      return line;
    })
    .join("\n");
}

/**
 * Returns the text of a guide with the links that the site can follow: those to other pages and pictures stay, and
 * those to sources and folders become their text. Links to nothing are added to broken, pictures to pictures.
 */
export function linked(root, name, text, pages, { broken, pictures }) {
  return outsideCode(text, (line) =>
    line.replaceAll(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g, (whole, picture, label, target) => {
      if (/^([a-z]+:|#)/i.test(target)) return whole;
      const [path] = target.split("#");
      const file = join(root, dirname(name), decodeURIComponent(path));
      if (!existsSync(file)) broken.push(`${name}: ${target} does not exist`);
      const page = relative(root, file).split(sep).join("/");
      const shown = picture !== "" && existsSync(file) && statSync(file).isFile();
      if (shown) pictures.add(page);
      return shown || pages.has(page) ? whole : label;
    }),
  );
}

/** The title of a guide: its first heading. */
function titleOf(name, text) {
  if (name === "web/sdk/README.md") return "The package for pages and Node"; // its heading is the package's name
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? "";
}

/** Copies the guides and their pictures into a folder. Returns the paths of the copies, and the links to nothing. */
export function copyPages(root, folder) {
  const names = ["README.md", ...Object.values(groups).flat()];
  const pages = new Set(names);
  const found = { broken: [], pictures: new Set() };
  const copies = [];
  for (const [group, listed] of [["", ["README.md"]], ...Object.entries(groups)]) {
    for (const name of listed) {
      const text = readFileSync(join(root, name), "utf8");
      const copy = join(folder, name);
      const head = group === "" ? "" : `---\ntitle: ${JSON.stringify(titleOf(name, text))}\ngroup: ${group}\n---\n\n`;
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(copy, head + linked(root, name, text, pages, found));
      if (group !== "") copies.push(copy);
    }
  }
  for (const picture of found.pictures) {
    mkdirSync(dirname(join(folder, picture)), { recursive: true });
    copyFileSync(join(root, picture), join(folder, picture));
  }
  return { copies, broken: found.broken };
}
