// Runs the built worker in Cloudflare's runtime: node serve.mjs BINDINGS, in the folder of the build. It prints its address, writes what the
// worker reports to standard error, and ends with its standard input.
import { Miniflare } from "miniflare";

const mf = new Miniflare({
  modules: true,
  scriptPath: "worker.mjs",
  modulesRules: [
    { type: "ESModule", include: ["**/*.mjs", "**/*.js"] },
    { type: "CompiledWasm", include: ["**/*.wasm"] },
  ],
  compatibilityDate: "2026-01-01",
  bindings: JSON.parse(process.argv[2]),
  r2Buckets: ["SEGMENTS"],
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
