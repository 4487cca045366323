// Checks that the files in dist/, compressed with brotli, are within the limits in size.json.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));

/** Returns the size of b after brotli compression at the highest level. */
export const packed = (b) =>
  brotliCompressSync(b, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: b.length,
    },
  }).length;

/** Fails if a file exceeds its limit. */
export function checkSizes(dist) {
  let over = false;
  for (const [name, limit] of Object.entries(JSON.parse(readFileSync(join(here, "size.json"), "utf8")))) {
    const size = packed(readFileSync(join(dist, name)));
    console.log(`${name}: ${size} bytes in brotli, of ${limit}`);
    over ||= size > limit;
  }
  if (over) throw new Error("the package is larger than size.json allows");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) checkSizes(join(here, "dist"));
