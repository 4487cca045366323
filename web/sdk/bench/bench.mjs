// Compares the package with monero-ts on one chain, in Node and in a page, in separate processes that run one after
// another. Usage: node bench.mjs [BLOCKS]. CPU is the sum over all threads. On a machine that is doing other work, only
// CPU times and ratios are meaningful.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { availableParallelism, tmpdir } from "node:os";
import { extname, join } from "node:path";

import { build } from "esbuild";
import { chromium } from "playwright-core";

import { Glim } from "../dist/node.js";
import { packed } from "../size.mjs";
import { exec, mine, ownDaemon, sdk } from "../test/tools.mjs";
import { copy } from "./forks.mjs";

const blocks = Number(process.argv[2] ?? 4000);
const many = Math.max(2, Math.min(4, availableParallelism()));
const ends = [];
const dir = mkdtempSync(join(tmpdir(), "glim-bench-"));
ends.push(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
try {
  await measure();
} finally {
  for (const end of ends.reverse()) await end();
}
process.exit();

async function measure() {
  const theirs = copy(join(sdk, "bench", "node_modules"), join(dir, "node_modules"));
  await bundle(theirs);
  const daemon = await ownDaemon({ after: (end) => ends.push(end) });
  const chain = await makeChain(daemon);
  const site = await serve(theirs, daemon);

  const rows = [];
  for (const workers of [1, many])
    rows.push([`glim, Node, ${workers} scanning`, await inNode("ours.mjs", workers, daemon, chain)]);
  rows.push(["monero-ts, Node", await inNode("theirs.mjs", theirs, daemon, chain, "worker")]);
  for (const workers of [1, many])
    rows.push([`glim, page, ${workers} scanning`, await inPage(site, ["ours", workers, ...chain])]);
  rows.push(["monero-ts, page", await inPage(site, ["theirs", 0, ...chain])]);

  console.log(`a chain of ${blocks + 100} blocks with a transaction each\n`);
  console.log(
    "| | first wallet | scanning: CPU per block | blocks per second | payment: CPU | memory | longest page task |\n" +
      "|---|---|---|---|---|---|---|",
  );
  for (const [name, r] of rows) {
    const cells = r.error
      ? [r.error.split("\n")[0]]
      : [
          `${(r.first.ms / 1000).toFixed(1)} s (CPU ${(r.first.cpu / 1000).toFixed(1)} s)`,
          `${((r.sync.cpu * 1000) / (blocks + 100)).toFixed(0)} µs`,
          ((blocks + 100) / (r.sync.ms / 1000)).toFixed(0),
          `${(r.transfer.cpu / 1000).toFixed(2)} s`,
          `${r.memory.toFixed(0)} MiB`,
          r.longest === undefined ? "" : `${r.longest.toFixed(0)} ms`,
        ];
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
  const sum = (names) => names.reduce((n, name) => n + packed(readFileSync(name)), 0);
  const dist = (name) => join(sdk, "dist", name);
  const our = ["index.js", "worker.js", "glim.wasm"].map(dist);
  const their = [join(dir, "bundle", "theirs.js"), join(theirs, "dist", "monero.worker.js")];
  console.log(`\nto download, in brotli: glim ${kB(sum(our))}, monero-ts ${kB(sum(their))}`);
  const balances = new Set(rows.filter(([, r]) => !r.error).map(([, r]) => r.balance));
  if (balances.size !== 1) throw new Error(`they do not agree on the balance: ${[...balances].join(", ")}`);
}

function kB(n) {
  return `${(n / 1000).toFixed(0)} kB`;
}

/**
 * Bundles monero-ts for a page. It imports parts of Node that it does not use there, which bundlers usually replace
 * with polyfills.
 */
async function bundle(theirs) {
  const names =
    "assert child_process crypto fs http https module net os path stream tls url util worker_threads web-worker " +
    "socks-proxy-agent";
  const parts = new RegExp(`^(${names.replaceAll(" ", "|")})$`);
  await build({
    stdin: { contents: `export * as moneroTs from ${JSON.stringify(theirs)};`, resolveDir: dir },
    bundle: true,
    format: "esm",
    platform: "browser",
    minify: true,
    define: { global: "globalThis" },
    outfile: join(dir, "bundle", "theirs.js"),
    logLevel: "error",
    plugins: [
      {
        name: "parts",
        setup(b) {
          b.onResolve({ filter: parts }, ({ path }) => ({ path, namespace: "part" }));
          b.onLoad({ filter: /.*/, namespace: "part" }, ({ path }) => ({
            contents:
              path === "assert"
                ? "module.exports = (ok, text) => { if (!ok) throw new Error(text); };\n" +
                  "module.exports.equal = (a, b) => module.exports(a == b);"
                : "module.exports = { Agent: class {}, SocksProxyAgent: class {} };",
          }));
        },
      },
    ],
  });
}

/** Makes a chain that pays a wallet near its end. Returns the wallet's seed and an address to pay. */
async function makeChain(daemon) {
  const glim = await Glim.start({ network: "regtest", database: "", workers: 0, kdf: { time: 1, memory: 64 } });
  const wallet = await glim.create({ name: "wallet", password: "" });
  const other = await glim.create({ name: "other", password: "" });
  const [words, [{ address }], [{ address: to }]] = await Promise.all([
    wallet.seed(),
    wallet.addresses(),
    other.addresses(),
  ]);
  await glim.stop();
  await mine(daemon, to, blocks);
  await mine(daemon, address, 100);
  return [words, to];
}

async function inNode(script, first, daemon, chain, ...more) {
  try {
    const { stdout } = await exec(
      process.execPath,
      [join(sdk, "bench", script), String(first), daemon, ...chain, ...more],
      { timeout: 900_000 },
    );
    return JSON.parse(stdout.trim().split("\n").at(-1));
  } catch (e) {
    return { error: String(e.stderr || e) };
  }
}

/** Serves files and the daemon from one origin, so that pages need no CORS headers. */
function serve(theirs, daemon) {
  const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
  const places = {
    "/glim/": join(sdk, "dist"),
    "/bundle/": join(dir, "bundle"),
    "/page": join(sdk, "bench"),
    "/monero.worker.js": join(theirs, "dist"),
  };
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url, "http://x");
    if (req.method === "POST") {
      const { origin: _origin, referer: _referer, host: _host, ...headers } = req.headers;
      for (const name of Object.keys(headers)) if (name.startsWith("sec-")) delete headers[name];
      const out = request(daemon + pathname, { method: req.method, headers }, (answer) => {
        res.writeHead(answer.statusCode, answer.headers);
        answer.pipe(res);
      });
      return req.pipe(out);
    }
    const [prefix, from] = Object.entries(places).find(([p]) => pathname.startsWith(p)) ?? [];
    if (!prefix) return res.writeHead(404).end();
    try {
      const name = prefix.endsWith("/") ? pathname.slice(prefix.length) : pathname.slice(1);
      res
        .writeHead(200, { "content-type": types[extname(name)] ?? "application/octet-stream" })
        .end(readFileSync(join(from, name)));
    } catch {
      res.writeHead(404).end();
    }
  });
  ends.push(() => {
    server.closeAllConnections();
    return server.close();
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`)),
  );
}

/** Runs a measurement in its own browser. CPU and memory are those of the processes of pages and their workers. */
async function inPage(site, what) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const session = await browser.newBrowserCDPSession();
    const renderers = async () =>
      (await session.send("SystemInfo.getProcessInfo")).processInfo.filter((p) => p.type === "renderer");
    const cpu = async () => (await renderers()).reduce((s, p) => s + p.cpuTime * 1000, 0);
    const resident = async () =>
      (await renderers()).reduce(
        (s, p) => s + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${p.id}/status`, "utf8"))[1]) / 1024,
        0,
      );
    const page = await browser.newPage();
    const before = await resident();
    let began = 0;
    await page.exposeFunction("mark", async (name) => {
      const now = await cpu();
      if (name !== "") began = now;
      return now - began;
    });
    await page.exposeFunction("memory", async () => (await resident()) - before);
    await page.goto(`${site}/page.html#${encodeURIComponent(JSON.stringify(what))}`);
    const handle = await page.waitForFunction(() => window.result, null, { timeout: 900_000 });
    return await handle.jsonValue();
  } finally {
    await browser.close();
  }
}
