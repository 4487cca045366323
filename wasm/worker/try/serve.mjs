// Runs the built worker in Cloudflare's runtime. Usage, in the build folder: node serve.mjs BINDINGS FOLDER LIMIT.
// FOLDER stores the bucket; LIMIT is the number of requests per client and minute. It prints its address, writes the
// worker's reports to standard error, and ends when its standard input ends.
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
