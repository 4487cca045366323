// A malicious web page tries to reach the wallet service on the machine that runs its browser.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { connect } from "node:tls";

import { chromium } from "playwright-core";

import { context as patient, folder, glim, listen, patience, port, wait } from "./tools.mjs";

/** A name that its owner points to this machine once the page is loaded (DNS rebinding). */
const rebound = "rebound.example";

async function browserWithReboundName(t, ...flags) {
  const started = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    timeout: patience,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-sync",
      `--host-resolver-rules=MAP ${rebound} 127.0.0.1`,
      ...flags,
    ],
  });
  t.after(() => started.close());
  return started;
}

/** Starts a wallet service without a daemon, with one open wallet, and returns its port. */
async function service(t, ...flags) {
  const at = await port();
  const child = spawn(
    glim(),
    [
      "wallet-rpc",
      "--offline",
      "--non-interactive",
      "--wallet-dir",
      folder(t),
      "--rpc-bind-port",
      String(at),
      ...flags,
    ],
    { stdio: ["ignore", "ignore", "pipe"], cwd: folder(t) },
  );
  let said = "";
  child.stderr.on("data", (b) => (said += b));
  t.after(async () => {
    if (child.exitCode === null) {
      child.kill();
      await once(child, "exit");
    }
  });
  for (const until = Date.now() + patience; !said.includes("serves mainnet at"); ) {
    assert.ok(Date.now() < until && child.exitCode === null, said);
    await wait(100);
  }
  return at;
}

/** Returns the names of the wallets in the service's folder, requested by an authorised client. */
async function made(at, name) {
  const res = await fetch(`http://127.0.0.1:${at}/json_rpc`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: 0, method: "open_wallet", params: { filename: name, password: "" } }),
  });
  return !(await res.json()).error;
}

/**
 * Runs in a page: tries to create a wallet called name in every way in which a page can send a request. Returns what
 * each way could read.
 */
async function attack({ address, name }) {
  const body = (way) =>
    JSON.stringify({
      jsonrpc: "2.0",
      id: "0",
      method: "create_wallet",
      params: { filename: name + way, password: "", language: "English" },
    });
  const read = {};
  // A browser may ask its user for a login and wait, which never ends here.
  const ask = (where, how) => fetch(where, { ...how, signal: AbortSignal.timeout(1500) });
  const tries = {
    simple: () =>
      ask(`${address}/json_rpc`, { method: "POST", headers: { "content-type": "text/plain" }, body: body("simple") }),
    blind: () =>
      ask(`${address}/json_rpc`, {
        method: "POST",
        mode: "no-cors",
        headers: { "content-type": "text/plain" },
        body: body("blind"),
      }),
    json: () =>
      ask(`${address}/json_rpc`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: body("json"),
      }),
    credentials: () =>
      ask(`${address}/json_rpc`, {
        method: "POST",
        mode: "no-cors",
        credentials: "include",
        body: body("credentials"),
      }),
    untyped: () => ask(`${address}/json_rpc`, { method: "POST", mode: "no-cors", body: new Blob([body("untyped")]) }),
    form: () =>
      ask(`${address}/json_rpc`, { method: "POST", mode: "no-cors", body: new URLSearchParams({ a: body("form") }) }),
    get: () => ask(`${address}/json_rpc`, { mode: "no-cors" }),
    named: () =>
      ask(`${address}/wallets/other/json_rpc`, {
        method: "POST",
        mode: "no-cors",
        headers: { "content-type": "text/plain" },
        body: body("named"),
      }),
  };
  for (const [way, go] of Object.entries(tries)) {
    try {
      const res = await go();
      const text = await res.text();
      read[way] = res.ok ? text : "";
    } catch {
      read[way] = "";
    }
  }
  navigator.sendBeacon(`${address}/json_rpc`, body("beacon"));
  // A form with a single field whose name and value together are JSON, sent as text/plain.
  const frame = document.createElement("iframe");
  frame.name = "hidden";
  document.body.append(frame);
  const form = document.createElement("form");
  Object.assign(form, { action: `${address}/json_rpc`, method: "post", enctype: "text/plain", target: "hidden" });
  const field = document.createElement("input");
  const [before, after] = body("posted").split('"language"');
  Object.assign(field, { type: "hidden", name: `${before}"x":"`, value: `","language"${after}` });
  form.append(field);
  document.body.append(form);
  // Not every refusal causes a load event, so wait for long enough that a request has been sent.
  const soon = () => new Promise((done) => setTimeout(done, 1000));
  const posted = new Promise((done) => frame.addEventListener("load", done, { once: true }));
  form.submit();
  await Promise.race([posted, soon()]);
  const image = new Image();
  const loaded = new Promise((done) => {
    image.onload = done;
    image.onerror = done;
  });
  image.src = `${address}/json_rpc?x`;
  await Promise.race([soon(), loaded]);
  try {
    const events = new EventSource(`${address}/events`);
    const opened = new Promise((done) => {
      events.onopen = () => done("open");
      events.onerror = () => done("");
    });
    read.events = await Promise.race([soon().then(() => ""), opened]);
    events.close();
  } catch {
    read.events = "";
  }
  return read;
}
const ways = ["simple", "blind", "json", "credentials", "untyped", "form", "get", "named", "beacon", "posted"];

/** Serves an empty page, under any host name, and returns its port. */
async function site(t) {
  const address = await listen(
    t,
    createServer((_req, res) =>
      res.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>page</title>"),
    ),
  );
  return new URL(address).port;
}

test("without a login, no page of another origin can read or change anything", async (t) => {
  const at = await service(t, "--disable-rpc-login");
  const context = await patient(await browserWithReboundName(t));
  const from = await site(t);
  for (const [page, host] of [
    ["127.0.0.1", "127.0.0.1"],
    ["localhost", "127.0.0.1"],
    [rebound, "localhost"],
  ]) {
    const tab = await context.newPage();
    await tab.goto(`http://${page}:${from}`);
    const name = `stolen-${page}-${host}-`;
    const read = await tab.evaluate(attack, { address: `http://${host}:${at}`, name });
    assert.deepEqual(
      Object.entries(read).filter(([, text]) => text !== ""),
      [],
      `${page} read from ${host}`,
    );
    for (const way of ways) assert.equal(await made(at, name + way), false, `${page}, ${host}: ${way}`);
    await tab.close();
  }
});

test("DNS rebinding does not give a page access", async (t) => {
  const at = await service(t, "--disable-rpc-login");
  const context = await patient(await browserWithReboundName(t));
  const tab = await context.newPage();
  // To the browser this page has the same origin as the service: only the Host header differs.
  await tab.route(`http://${rebound}:${at}/`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>page</title>" }),
  );
  await tab.goto(`http://${rebound}:${at}/`);
  const read = await tab.evaluate(attack, { address: `http://${rebound}:${at}`, name: "rebound-" });
  assert.deepEqual(
    Object.entries(read).filter(([, text]) => text !== ""),
    [],
  );
  for (const way of ways) assert.equal(await made(at, `rebound-${way}`), false, way);
});

test("with a login, only a page from a listed origin that logs in gets further", async (t) => {
  const from = await site(t);
  const at = await service(t, "--rpc-login", "me:secret", "--rpc-access-control-origins", `http://127.0.0.1:${from}`);
  const context = await patient(await browserWithReboundName(t));
  for (const page of [`http://localhost:${from}`, `http://127.0.0.1:${from}`]) {
    const tab = await context.newPage();
    await tab.goto(page);
    const read = await tab.evaluate(attack, { address: `http://127.0.0.1:${at}`, name: "x-" });
    assert.deepEqual(
      Object.entries(read).filter(([, text]) => text !== ""),
      [],
      page,
    );
    const answer = await tab.evaluate(async (address) => {
      try {
        const res = await fetch(`${address}/json_rpc`, {
          method: "POST",
          credentials: "omit",
          headers: { "content-type": "application/json" },
          body: '{"id":0,"method":"get_version"}',
        });
        return [res.status, res.headers.get("www-authenticate")?.startsWith("Digest")];
      } catch {
        return [0, false];
      }
    }, `http://127.0.0.1:${at}`);
    assert.deepEqual(answer, page.includes("localhost") ? [0, false] : [401, true], page);
    await tab.close();
  }
});

test("without a login, only a page from a listed origin has access", async (t) => {
  const from = await site(t);
  const at = await service(t, "--disable-rpc-login", "--rpc-access-control-origins", `http://127.0.0.1:${from}`);
  const context = await patient(await browserWithReboundName(t));
  const ask = async (page) => {
    const tab = await context.newPage();
    await tab.goto(page);
    return tab.evaluate(async (address) => {
      try {
        const res = await fetch(`${address}/json_rpc`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: '{"id":0,"method":"get_version"}',
        });
        return (await res.json()).result.version;
      } catch {
        return 0;
      }
    }, `http://127.0.0.1:${at}`);
  };
  assert.ok((await ask(`http://127.0.0.1:${from}`)) > 0);
  assert.equal(await ask(`http://localhost:${from}`), 0);
});

/** The certificate that a port presents. */
async function certificate(at) {
  const socket = connect({ host: "127.0.0.1", port: at, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const shown = new X509Certificate(socket.getPeerCertificate(true).raw);
  socket.destroy();
  return shown;
}

test("over TLS, a page needs the certificate and the login, and nothing is sent in plain text", async (t) => {
  const from = await site(t);
  const at = await service(
    t,
    "--rpc-ssl",
    "enabled",
    "--rpc-login",
    "me:secret",
    "--rpc-access-control-origins",
    `http://127.0.0.1:${from}`,
  );
  const key = createHash("sha256")
    .update((await certificate(at)).publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
  const open = async (...flags) => {
    const tab = await (await patient(await browserWithReboundName(t, ...flags))).newPage();
    await tab.goto(`http://127.0.0.1:${from}`);
    /** Requests the version. Returns the status, the challenge and the version, or nothing if there is no response. */
    return (scheme, authorization) =>
      tab.evaluate(
        async ([address, authorization]) => {
          try {
            const headers = { "content-type": "application/json", ...(authorization && { authorization }) };
            const res = await fetch(`${address}/json_rpc`, {
              method: "POST",
              credentials: "omit",
              headers,
              body: '{"id":0,"method":"get_version"}',
            });
            const challenge = res.headers.get("www-authenticate");
            return [res.status, challenge, res.ok ? (await res.json()).result.version : 0];
          } catch {
            return [];
          }
        },
        [`${scheme}://127.0.0.1:${at}`, authorization],
      );
  };
  const untrusting = await open();
  assert.deepEqual(await untrusting("https"), [], "a certificate that no authority issued");
  assert.deepEqual(await untrusting("http"), [], "in the clear");

  const trusting = await open(`--ignore-certificate-errors-spki-list=${key}`);
  assert.deepEqual(await trusting("http"), [], "in the clear");
  const login = async (password) => {
    const [status, challenge] = await trusting("https");
    assert.equal(status, 401);
    const said = Object.fromEntries(
      [...challenge.split(", Digest")[0].matchAll(/(\w+)="?([^",]+)"?/g)].map(([, name, value]) => [name, value]),
    );
    const md5 = (...parts) => createHash("md5").update(parts.join(":")).digest("hex");
    const response = md5(
      md5("me", said.realm, password),
      said.nonce,
      "00000001",
      "c",
      said.qop,
      md5("POST", "/json_rpc"),
    );
    const credentials = [
      'username="me"',
      `realm="${said.realm}"`,
      `nonce="${said.nonce}"`,
      'uri="/json_rpc"',
      `qop=${said.qop}`,
      "nc=00000001",
      'cnonce="c"',
      `response="${response}"`,
      "algorithm=MD5",
    ];
    return `Digest ${credentials.join(", ")}`;
  };
  assert.equal((await trusting("https", await login("guess")))[0], 401);
  const [ok, , version] = await trusting("https", await login("secret"));
  assert.ok(ok === 200 && version > 0, `status ${ok}`);
});
