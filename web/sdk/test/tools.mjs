// Shared by the tests: a file server, a browser, daemons, and a proxy that can alter, delay and drop responses.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer, request } from "node:http";
import { createServer as createProbe } from "node:net";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { chromium } from "playwright-core";

export const sdk = join(dirname(fileURLToPath(import.meta.url)), "..");
export const root = join(sdk, "..", "..");
export const exec = promisify(execFile);

/** A timeout in milliseconds for every wait. It only guards against hanging, because machines may be busy. */
export const patience = 300_000;

/** A temporary folder that is removed at the end of the test. */
export function folder(t) {
  const made = mkdtempSync(join(tmpdir(), "glim-web-"));
  t.after(() => rmSync(made, { recursive: true, force: true, maxRetries: 5 }));
  return made;
}

const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
};

/** Serves folders, each under a path prefix, with these headers. Returns the server's address. */
export async function serve(t, folders, headers = {}) {
  const server = createServer((req, res) => {
    const path = decodeURIComponent(new URL(req.url, "http://x").pathname);
    const [prefix, from] = Object.entries(folders).find(([p]) => path.startsWith(p)) ?? [];
    let file = prefix && normalize(join(from, path.slice(prefix.length)));
    if (file && (file === from || file.endsWith(sep))) file = join(file, "index.html");
    if (path === "/favicon.ico") return res.writeHead(204).end();
    if (!file?.startsWith(from) || !existsSync(file) || !statSync(file).isFile()) return res.writeHead(404).end();
    res.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "cache-control": "no-cache",
      ...headers,
    });
    createReadStream(file).pipe(res);
  });
  return listen(t, server);
}

export async function listen(t, server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    return server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

/** Starts Debian's Chromium, or the one that CHROMIUM names. */
export async function browser(t) {
  const started = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    timeout: patience,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  t.after(() => started.close());
  return started;
}

/** A browser context with long timeouts. */
export async function context(browser) {
  const made = await browser.newContext();
  made.setDefaultTimeout(patience);
  return made;
}

/** Returns a free port, outside the range that systems use for outgoing connections, which might otherwise take it. */
export async function port() {
  for (;;) {
    const at = 20_000 + Math.floor(Math.random() * 8_000);
    const probe = createProbe().listen(at, "127.0.0.1");
    const free = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!free) continue;
    probe.close();
    await once(probe, "close");
    return at;
  }
}

/** Starts a program that listens on a port, and waits until it answers get_info. args gets the port. */
async function daemon(t, program, args) {
  const at = await port();
  const child = spawn(program, args(at), { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (b) => (said += b));
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill();
      await once(child, "exit");
    }
  });
  const address = `http://127.0.0.1:${at}`;
  for (const until = Date.now() + patience; Date.now() < until; ) {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
    try {
      if ((await fetch(`${address}/get_info`, { method: "POST", body: "{}" })).ok) return address;
    } catch {
      // Not ready yet.
    }
    await wait(100);
  }
  throw new Error(`${program} does not answer: ${said}`);
}

let built;

/** Builds the command from source. */
export function glim() {
  if (!built) {
    const path = join(root, ".work", "web", "glim");
    execFileSync("go", ["build", "-o", path, "./bindings/glim"], { cwd: root, stdio: "inherit" });
    built = path;
  }
  return built;
}

/** Starts glim's daemon with a private chain in memory. */
export function ownDaemon(t, ...flags) {
  return daemon(t, glim(), (p) => [
    "daemon",
    "--regtest",
    "--fixed-difficulty",
    "1",
    "--rpc-bind-port",
    String(p),
    "--rpc-access-control-origins",
    "*",
    ...flags,
  ]);
}

/** Starts monerod with a private chain in a temporary folder. */
export async function realDaemon(t) {
  const dir = folder(t);
  const p2p = await port();
  return daemon(t, "monerod", (p) => [
    "--regtest",
    "--offline",
    "--fixed-difficulty",
    "1",
    "--data-dir",
    dir,
    "--rpc-bind-port",
    String(p),
    "--p2p-bind-port",
    String(p2p),
    "--no-zmq",
    "--no-igd",
    "--non-interactive",
  ]);
}

/** Sends a JSON-RPC request to a daemon. */
export async function ask(address, method, params) {
  const answer = await fetch(`${address}/json_rpc`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: "0", method, params }),
  });
  const { result, error } = await answer.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Mines blocks to an address, a few at a time. */
export async function mine(address, to, blocks) {
  for (let left = blocks; left > 0; left -= 20) {
    await ask(address, "generateblocks", {
      amount_of_blocks: Math.min(left, 20),
      wallet_address: to,
      starting_nonce: 0,
    });
  }
}

/**
 * A proxy to a daemon. Its members may be set at any time: change(path, body) returns the response body to send in
 * place of body; seen(path) is awaited before a request is passed on; gone breaks off all connections.
 */
export async function wayTo(t, address) {
  const way = { address: "", gone: false, change: (_path, body) => body, seen: async (_path) => undefined };
  const server = createServer(async (req, res) => {
    const asked = [];
    for await (const b of req) asked.push(b);
    try {
      await way.seen(req.url);
      if (way.gone) return res.destroy();
      const out = request(address + req.url, {
        method: req.method,
        headers: { ...req.headers, host: new URL(address).host },
      });
      out.end(Buffer.concat(asked));
      const [answer] = await once(out, "response");
      const got = [];
      for await (const b of answer) got.push(b);
      const body = way.change(req.url, Buffer.concat(got));
      res.writeHead(answer.statusCode, { ...answer.headers, "content-length": body.length }).end(body);
    } catch {
      res.destroy();
    }
  });
  way.address = await listen(t, server);
  return way;
}

/** Returns whether monerod is installed. In CI it must be. */
export function haveReference() {
  try {
    execFileSync("monerod", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    if (process.env.CI) throw new Error("monerod is not installed");
    console.log("web: monerod is not installed: nothing is compared with it");
    return false;
  }
}

export { wait };
