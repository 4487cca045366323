// Runs the built worker in Cloudflare's runtime: node serve.mjs BINDINGS FOLDER LIMIT, in the folder of the build. FOLDER keeps the bucket, LIMIT
// is how many requests of one client are answered in a minute. It prints its address, writes what the worker reports to standard error, and
// ends with its standard input.
import { Miniflare } from "miniflare";

const [bindings, folder, limit] = process.argv.slice(2);
const mf = new Miniflare({
  modules: true,
  scriptPath: "worker.mjs",
  modulesRules: [
    { type: "ESModule", include: ["**/*.mjs", "**/*.js"] },
    { type: "CompiledWasm", include: ["**/*.wasm"] },
  ],
  compatibilityDate: "2026-01-01",
  bindings: JSON.parse(bindings),
  r2Buckets: ["SEGMENTS"],
  r2Persist: folder,
  ratelimits: { RATE: { simple: { limit: Number(limit), period: 60 } } },
  host: "127.0.0.1",
  port: 0,
  handleRuntimeStdio(stdout, stderr) {
    stdout.pipe(process.stderr);
    stderr.pipe(process.stderr);
  },
});
console.log((await mf.ready).href);
process.stdin.on("end", () => mf.dispose().then(() => process.exit(0)));
process.stdin.resume();
