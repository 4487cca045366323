// Writes the service worker of the built page: sw.js, with the SHA-256 of every file. See README.md.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

const here = import.meta.dirname;

/** Lists that an owner may edit after building. The worker asks the server for them first. */
const lists = ["nodes.json", "rates.json"];

/** Files without a hash in the worker: the worker itself and the lists. */
const apart = new Set(["sw.js", ...lists]);

/** Files without which the app does not start or open a wallet. They are stored before a version is offered. */
const needed = /^(index\.html|mark\.svg|assets\/.*\.(js|css|woff2)|assets\/glim-(?!next-)[^/]*\.wasm)$/;

/**
 * Returns the service worker for the files in a folder. With urgent, it takes over as soon as it is installed, without
 * asking. The version is the hash of all files and of the worker's code.
 */
export function serviceWorker(folder, { urgent = false } = {}) {
  const files = Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((f) => f.isFile())
      .map((f) => join(f.parentPath, f.name).slice(join(folder, "/").length).split(sep).join("/"))
      .filter((name) => !apart.has(name))
      .sort()
      .map((name) => [name, hash(readFileSync(join(folder, name)), "base64")]),
  );
  const code = readFileSync(join(here, "service-worker.js"), "utf8");
  const version = hash(JSON.stringify(files) + code, "hex").slice(0, 16);
  const first = Object.keys(files).filter((name) => needed.test(name));
  return `const version = ${JSON.stringify(version)};
const urgent = ${urgent};
const files = ${JSON.stringify(files, null, 1)};
const needed = ${JSON.stringify(first, null, 1)};
const lists = ${JSON.stringify(lists)};
${code}`;
}

/** Returns a service worker that removes itself and what earlier ones stored. */
export function farewell() {
  return readFileSync(join(here, "service-worker-off.js"), "utf8");
}

const hash = (data, form) => createHash("sha256").update(data).digest(form);
