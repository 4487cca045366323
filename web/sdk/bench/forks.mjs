// monero-ts refuses private chains because the heights of mainnet's hard forks are compiled in. This makes a copy in
// which hard fork 16 starts at block 1, and changes nothing else.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

/** Height of hard fork 16 on mainnet. Source: src/hardforks/hardforks.cpp. */
const fork16 = 2689608;

/** Copies node_modules from one folder to another, with the program changed. */
export function copy(from, to) {
  cpSync(from, to, { recursive: true });
  for (const name of ["monero.js", "monero.worker.js"]) {
    const path = join(to, "monero-ts", "dist", name);
    const text = readFileSync(path, "latin1");
    const [packed] = /H4sI[A-Za-z0-9+/]{1000,}=*/.exec(text) ?? [];
    if (!packed) throw new Error(`${name} holds no program`);
    const program = gunzipSync(Buffer.from(packed, "base64"));
    const height = Buffer.alloc(4);
    height.writeUInt32LE(fork16);
    const at = program.indexOf(height);
    if (at < 0 || program.indexOf(height, at + 1) >= 0)
      throw new Error(`${name}: the height of the last upgrade is not there once`);
    program.writeUInt32LE(1, at);
    writeFileSync(path, text.replace(packed, gzipSync(program, { level: 9 }).toString("base64")), "latin1");
  }
  return join(to, "monero-ts");
}
