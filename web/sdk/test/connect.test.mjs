// One scenario with every transport, and what is special about wallet services elsewhere.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createTunnel } from "node:net";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import * as glim from "../dist/node.js";
import { scenario } from "./scenario.mjs";
import {
  browser,
  context,
  exec,
  folder,
  glim as program,
  listen,
  mine,
  ownDaemon,
  patience,
  port,
  root,
  sdk,
  serve,
  wait,
} from "./tools.mjs";

const { Glim, isGlimError } = glim;
const network = "regtest";
const login = { username: "me", password: "a secret: with € and \\" };
const everything = { several: true };

const ends = [];
let daemon;
before(async () => {
  daemon = await ownDaemon({ after: (end) => ends.push(end) });
});
after(async () => {
  for (const end of ends.reverse()) await end();
});
const mineTo = (address, blocks) => mine(daemon, address, blocks);

/** Starts a wallet service in a new folder, and waits until it answers. Returns its address. */
async function service(t, command, login, flags) {
  const at = await port();
  const dir = folder(t);
  const args = [
    ...command.slice(1),
    ...["--rpc-bind-port", String(at), "--daemon-address", daemon.replace("http://", ""), "--log-level", "0"],
    ...["--non-interactive", "--trusted-daemon", "--rpc-ssl", "disabled", "--daemon-ssl", "disabled"],
    ...["--log-file", join(dir, "log"), ...flags(dir)],
    ...(login ? [] : ["--disable-rpc-login"]),
  ];
  const env = { ...process.env, ...(login && { RPC_LOGIN: `${login.username}:${login.password}` }) };
  const child = spawn(command[0], args, { stdio: ["ignore", "ignore", "pipe"], env, cwd: dir });
  let said = "";
  child.stderr.on("data", (b) => (said += b));
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  const url = `http://127.0.0.1:${at}`;
  for (const until = Date.now() + patience; Date.now() < until; await wait(100)) {
    if (child.exitCode !== null) throw new Error(`${command[0]} ended: ${said}`);
    const answered = await fetch(`${url}/json_rpc`, { method: "POST", body: "{}" }).then(
      () => true,
      () => false,
    );
    if (answered) return url;
  }
  throw new Error(`${command[0]} does not answer: ${said}`);
}

const ours = () => [program(), "wallet-rpc", "--regtest"];
const own = (t, login, ...more) => service(t, ours(), login, (dir) => ["--no-keys-file", "--wallet-dir", dir, ...more]);

/** Connects, and disconnects at the end of the test. */
async function connected(t, options) {
  const made = await Glim.connect({ network, ...options });
  t.after(() => made[Symbol.asyncDispose]());
  return made;
}

/** For releases that compare the daemon's hard forks with those that they know. */
const mismatched = "--allow-mismatched-daemon-version";

/** The path of monero-wallet-rpc; undefined if it is not installed. In CI it must be. */
function reference() {
  const folders = [
    ...(process.env.GLIM_REFERENCE ?? "").split(delimiter),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  const found = folders.map((f) => join(f, "monero-wallet-rpc")).find((f) => existsSync(f));
  if (!found && process.env.CI) throw new Error("monero-wallet-rpc is not installed");
  return found;
}

test("the scenario with an engine in a worker", async (t) => {
  const engine = await Glim.start({ network, daemon, database: "", workers: 0, kdf: { time: 1, memory: 64 } });
  t.after(() => engine.stop());
  await scenario(glim, engine, mineTo, everything, patience);
});

test("the scenario with glim's service, with a login; its wallets stay open", async (t) => {
  const url = await own(t, login);
  const first = await connected(t, { url, login });
  const { name } = await scenario(glim, first, mineTo, everything, patience);
  await first.stop();
  await assert.rejects(first.attach(name), { reason: "EngineEnded" });
  const second = await connected(t, { url, login });
  const wallet = await second.attach(name);
  assert.ok((await wallet.height()) > 90);
  assert.equal(await second.attach("first"), undefined);
  // More calls at once than connections that a browser would open, each with the login.
  await Promise.all(Array.from({ length: 20 }, () => wallet.height()));
});

test("the scenario in a page with glim's service, with a login", async (t) => {
  const site = await serve(t, { "/glim/": `${join(sdk, "dist")}/`, "/test/": `${join(sdk, "test")}/` });
  const url = await own(t, login, "--rpc-access-control-origins", site);
  const page = await (await context(await browser(t))).newPage();
  const fetched = [];
  page.on("request", (r) => fetched.push(new URL(r.url()).pathname));
  await page.goto(`${site}/test/page.html`);
  await page.waitForFunction("window.ready");
  assert.ok(!fetched.includes("/glim/remote.js"), "it is loaded when it is needed");
  const blocks = await page.evaluate(
    async ([url, login, daemon, patience]) => {
      const { scenario } = await import("/test/scenario.mjs");
      const engine = await Glim.connect({ network: "regtest", url, login });
      const mine = async (address, left) => {
        const params = { amount_of_blocks: left, wallet_address: address, starting_nonce: 0 };
        const body = JSON.stringify({ jsonrpc: "2.0", id: "0", method: "generateblocks", params });
        const headers = { "content-type": "application/json" };
        await (await fetch(`${daemon}/json_rpc`, { method: "POST", headers, body })).json();
      };
      const { name } = await scenario(window, engine, mine, { several: true }, patience);
      const wallet = await engine.attach(name);
      await Promise.all(Array.from({ length: 20 }, () => wallet.height()));
      for (const name of ["two", "three", "four"]) await engine.create({ name, password: "" });
      const fifth = await engine.create({ name: "fifth", password: "" }).catch((e) => e.reason);
      if (fifth !== "WalletLimit") throw new Error(fifth);
      await Promise.all(Array.from({ length: 20 }, () => wallet.height()));
      return wallet.height();
    },
    [url, login, daemon, patience],
  );
  assert.ok(blocks > 90);
  assert.ok(fetched.includes("/glim/remote.js"));
  assert.ok(!fetched.includes("/glim/worker.js"), "no engine is started");
});

test("the scenario with glim's service, without a login", async (t) => {
  await scenario(glim, await connected(t, { url: await own(t) }), mineTo, everything, patience);
});

test("the scenario with monero-wallet-rpc, with a login", async (t) => {
  const path = reference();
  if (!path) return;
  const url = await service(t, [path], login, (dir) => [
    ...["--wallet-dir", dir, "--shared-ringdb-dir", join(dir, "rings")],
    ...(String(execFileSync(path, ["--help"])).includes(mismatched) ? [mismatched] : []),
    ...["--rpc-login", `${login.username}:${login.password}`],
  ]);
  const engine = await connected(t, { url, login, pollInterval: 200 });
  const { name } = await scenario(glim, engine, mineTo, {}, patience);
  await assert.rejects(engine.rpc.getEvents(), { reason: "NotSupported" });
  const other = await connected(t, { url, login });
  const wallet = await other.attach(name);
  assert.equal((await wallet.balance()).total, (await (await engine.attach(name)).balance()).total);
});

const md5 = (text) => createHash("md5").update(text).digest("hex");

/** A service that answers get_balance with body; passwords of other clients than this are rejected. */
async function pretending(t, { login, answer, challenges }) {
  const server = createServer((req, res) => {
    let asked = "";
    req.on("data", (b) => (asked += b));
    req.on("end", () => {
      req.socket.nonce ??= `nonce${Math.random()}`;
      const header = req.headers.authorization ?? "";
      const of = (name) => header.match(new RegExp(`\\b${name}="?([^",]*)`))?.[1];
      req.socket.count = (req.socket.count ?? 0) + 1;
      if (login) {
        const secret = md5(`${login.username}:a realm:${login.password}`);
        const request = md5(`${req.method}:${req.url}`);
        const proof = md5(`${secret}:${of("nonce")}:${of("nc")}:${of("cnonce")}:auth:${request}`);
        const known = header !== "" && of("response") === proof && of("uri") === req.url;
        if (!known || of("nonce") !== req.socket.nonce || parseInt(of("nc"), 16) !== req.socket.count) {
          req.socket.count = 0;
          const mine = `Digest qop="auth",algorithm=MD5,realm="a realm",nonce="${req.socket.nonce}",stale=${known}`;
          return res.writeHead(401, { "www-authenticate": challenges ?? [`Digest algorithm=SHA-256`, mine] }).end("no");
        }
      }
      answer(JSON.parse(asked).method, res, req);
    });
  });
  return listen(t, server);
}
const says = (res, text) => res.end(`{"jsonrpc":"2.0","id":"0",${text}}`);
const like = (method, res) =>
  method === "get_events"
    ? says(res, '"error":{"code":-32601,"message":"Method not found"}')
    : says(res, '"result":{}');

test("logins with names and passwords of every length, and amounts of every size", async (t) => {
  for (const [n, password] of ["", "x", "ü€😀", ..."0".repeat(20)].entries()) {
    const login = { username: "u".repeat(n + 1), password: password.repeat(n * 7) };
    let amount;
    const url = await pretending(t, {
      login,
      answer: (method, res) => {
        if (method !== "get_balance") return like(method, res);
        const text = JSON.stringify('a "text" with 12345678901234567890 \\');
        says(res, `"result":{"balance":${amount},"unlocked_balance": ${amount}\n,"x":${text},"y":[-1.5e20,0]}`);
      },
    });
    const engine = await connected(t, { url, login });
    for (amount of [2n ** 64n - 1n, 2n ** 53n + 1n, 10n ** 15n, 10n ** 15n - 1n, 0n]) {
      const { balance, unlocked_balance, x, y } = await engine.rpc.getBalance({});
      assert.deepEqual([balance, unlocked_balance], [amount, amount]);
      assert.deepEqual([x, y], ['a "text" with 12345678901234567890 \\', [-1.5e20, 0]]);
    }
    const wrong = { ...login, password: `${login.password}x` };
    await assert.rejects(Glim.connect({ network, url, login: wrong }), { reason: "ServiceLogin" });
    await engine.stop();
  }
});

test("what is wrong with a service has its own reason", async (t) => {
  const refused = (options, reason) =>
    assert.rejects(Glim.connect({ network, ...options }), (e) => isGlimError(e, reason) || assert.fail(e));
  const closed = `http://127.0.0.1:${await port()}`;
  await refused({ url: closed }, "ServiceUnreachable");
  await assert.rejects(Glim.connect({ network, url: closed, signal: AbortSignal.abort() }), { name: "AbortError" });
  await refused({ url: daemon }, "ServiceInvalid");
  await refused({ url: "x" }, "InvalidParams");
  await refused({ url: "http://me:secret@127.0.0.1" }, "InvalidParams");
  await refused({ url: closed, login: { username: 'a"b', password: "" } }, "InvalidParams");
  const basic = await pretending(t, { login, challenges: "Basic realm=x", answer: like });
  await refused({ url: basic, login }, "ServiceLogin");
  await refused({ url: basic }, "ServiceLogin");
  for (const answer of [
    (_, res) => res.end("<html>"),
    (_, res) => res.end("null"),
    (_, res) => res.end('{"result"'),
    (_, res) => res.writeHead(500).end(),
  ])
    await refused({ url: await pretending(t, { answer }) }, "ServiceInvalid");
  // A connection that breaks in the middle of a call, and a call that is cancelled.
  let take;
  const held = new Promise((resolve) => (take = resolve));
  const url = await pretending(t, {
    answer: (method, res, req) => {
      if (method === "get_balance") req.socket.destroy();
      else if (method === "get_height") take();
      else like(method, res);
    },
  });
  const engine = await connected(t, { url });
  await assert.rejects(engine.rpc.getBalance({}), { reason: "ServiceUnreachable", kind: "network" });
  const stop = new AbortController();
  const waiting = engine.rpc.getHeight({}, { signal: stop.signal });
  await held;
  stop.abort();
  await assert.rejects(waiting, { name: "AbortError" });
  for (const call of [
    () => engine.wallets(),
    () => engine.remove("x"),
    () => engine.exportFile("x"),
    () => engine.memory(),
  ])
    await assert.rejects(call, { reason: "NotSupported" });
});

test("glim's service of one wallet", async (t) => {
  const dir = folder(t);
  const many = await connected(t, {
    url: await service(t, ours(), login, () => ["--no-keys-file", "--wallet-dir", dir]),
    login,
  });
  const made = await many.create({ name: "one", password: "p" });
  const [{ address }] = await made.addresses();
  await mineTo(address, 3);
  await made.sync();
  await made.close();
  const url = await service(t, ours(), login, () => [
    ...["--no-keys-file", "--wallet-file", join(dir, "one"), "--password", "p"],
  ]);
  const engine = await connected(t, { url, login });
  const wallet = await engine.attach("one");
  const seen = [];
  for await (const { cursor } of wallet.events({ cursor: 1n, signal: AbortSignal.timeout(patience) }))
    if (seen.push(cursor) === 2) break;
  assert.deepEqual(seen, [2n, 3n]);
  await assert.rejects(engine.open("other", ""), { reason: "NoWalletDir" });
});

test("the example in the README", async (t) => {
  const url = await own(t, login);
  const engine = await connected(t, { url, login });
  await engine.create({ name: "shop", password: "correct horse" });
  const [, text] = /```js\n((?:(?!```)[\s\S])*Glim\.connect[\s\S]*?)```/.exec(
    readFileSync(join(sdk, "README.md"), "utf8"),
  );
  const file = join(folder(t), "example.mjs");
  const here = { 'from "glim"': `from ${JSON.stringify(pathToFileURL(join(sdk, "dist", "node.js")))}` };
  here['"http://127.0.0.1:18083"'] = JSON.stringify(url);
  here['{ username: "me", password: "secret" }'] = JSON.stringify(login);
  const changed = Object.entries(here).reduce((all, [from, to]) => {
    assert.ok(all.includes(from), from);
    return all.replace(from, () => to);
  }, text);
  writeFileSync(file, changed);
  const { stdout } = await exec(process.execPath, [file], { timeout: patience });
  assert.equal(stdout, "0\n");
  assert.ok(await engine.attach("shop"), "it is still open");
});

test("events go on when the connection breaks, and none is missed", async (t) => {
  const url = await own(t, login);
  const sockets = new Set();
  const tunnel = createTunnel((from) => {
    const to = connect(Number(new URL(url).port), "127.0.0.1");
    for (const [a, b] of [
      [from, to],
      [to, from],
    ]) {
      sockets.add(a);
      a.on("error", () => b.destroy()).on("close", () => b.destroy());
      a.pipe(b);
    }
  });
  tunnel.listen(0, "127.0.0.1");
  await once(tunnel, "listening");
  t.after(() => {
    for (const s of sockets) s.destroy();
    tunnel.close();
  });
  const through = `http://127.0.0.1:${tunnel.address().port}`;
  const engine = await connected(t, { url: through, login });
  const wallet = await engine.create({ name: "wallet", password: "" });
  const [{ address }] = await wallet.addresses();
  const seen = [];
  wallet.on("transfer", (e) => seen.push(e.cursor));
  const until = async (count) => {
    for (const end = Date.now() + patience; seen.length < count && Date.now() < end; ) await wait(50);
  };
  await mineTo(address, 3);
  await wallet.sync();
  await until(3);
  for (const s of sockets) s.destroy();
  await mineTo(address, 2);
  await wallet.sync().catch((e) => assert.equal(e.reason, "ServiceUnreachable")); // over a connection that broke
  await wallet.sync();
  await until(5);
  assert.deepEqual(seen, [1n, 2n, 3n, 4n, 5n]);
});

test("the list of what monero-wallet-rpc ignores is that of the comparison with it", () => {
  const listed = (file, from, to) => {
    const text = readFileSync(join(root, file), "utf8");
    const start = text.indexOf("{", text.indexOf(from));
    assert.ok(start > 0, `${file} has ${from}`);
    return text.slice(start, text.indexOf(to, start)).match(/[a-z_]+/g);
  };
  const compared = listed("bindings/scenario/types_test.go", "var added", "\n}");
  assert.ok(compared.length > 40);
  assert.deepEqual(listed("web/sdk/src/remote.ts", "const ignored", "\n}"), compared);
});
