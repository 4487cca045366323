// The desktop wallet, "glim app": the page with the engine of a native process, which outlives its tabs.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { browser, context, folder, glim, listen, mine, ownDaemon, wayTo } from "../../sdk/test/tools.mjs";
import { address, button, create, go, sendNow } from "./acts.mjs";
import { eventually, patience } from "./eventually.mjs";

const exec = promisify(execFile);
const pages = new URL("../dist", import.meta.url).pathname;
const password = "correct horse battery staple";
const payee = "888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H";

const ends = [];
const all = { after: (end) => ends.push(end) };
let dir, env, flags, daemon, reader, sender, chromium;
before(async () => {
  dir = folder(all);
  env = { ...process.env, XDG_RUNTIME_DIR: dir, XDG_DATA_HOME: join(dir, "data"), DNS_PUBLIC: "tcp://127.0.0.1:1" };
  daemon = await ownDaemon(all);
  reader = await noted(daemon);
  sender = await noted(daemon);
  flags = ["app", "--regtest", "--no-browser", "--pages", pages, "--daemon-address", reader.address];
  chromium = await browser(all);
});
after(async () => {
  for (const end of ends.reverse()) await end();
});

/** A way to the node that notes the paths that it is asked for. */
async function noted(node) {
  const way = await wayTo(all, node);
  way.asked = [];
  way.seen = async (path) => void way.asked.push(path);
  return way;
}

/** Starts the app. Returns its process and the address that it prints. */
async function start() {
  const child = spawn(glim(), flags, { env, stdio: ["ignore", "pipe", "pipe"] });
  all.after(() => child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (b) => (said += b));
  child.stderr.on("data", (b) => (said += b));
  const ended = once(child, "exit");
  const address = /^http:\S+$/m;
  await eventually(() => address.test(said) || child.exitCode !== null, true);
  await eventually(() => said, address, "the address", 10_000); // what an ended process said may come later
  return { child, ended, url: address.exec(said)[0] };
}

test("a desktop wallet outlives its tabs", async () => {
  const app = await start();
  const { origin, hash } = new URL(app.url);
  const visitor = await context(chromium);
  await visitor.grantPermissions(["clipboard-read", "clipboard-write"]);
  const troubles = [];
  visitor.on("page", (page) => {
    page.on("pageerror", (e) => troubles.push(e.message));
    page.on("request", (r) => {
      if (new URL(r.url()).origin !== origin && !r.url().startsWith("blob:")) troubles.push(`request: ${r.url()}`);
    });
  });
  let page = await visitor.newPage();
  await page.setViewportSize({ width: 400, height: 844 });
  await page.goto(app.url);
  await button(page, "Create a wallet").waitFor();
  assert.equal(page.url(), `${origin}/`, "the ticket is not in the address of the page");
  assert.equal(await page.getByText("private chain").count(), 0);
  await page
    .locator("header")
    .getByRole("button", { name: /127\.0\.0\.1/ })
    .click();
  await page.getByRole("dialog").getByText("Send through another node").click();
  await page.getByLabel("Node for sending").fill(sender.address);
  await button(page, "Save").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await create(page, "Purse", password);
  const own = await address(page);
  await mine(daemon, own, 80);
  await go(page, "Home");
  await page.getByText(/In sync at block 81/).waitFor();
  await go(page, "Send");
  await page.getByLabel("To", { exact: true }).fill(payee);
  await page.getByLabel("Amount").fill("1.25");
  await button(page, "Review").click();
  await sendNow(page).and(page.locator(":enabled")).click();
  await page.getByText("1.25").first().waitFor();
  await go(page, "Home");
  await page.locator("main").getByRole("button", { name: /1\.25/ }).first().waitFor();

  await payNames(page);
  const handOver = "/send_raw_transaction";
  assert.deepEqual(sender.asked, [handOver, handOver], "the second node gets both transactions, and nothing else");
  assert.ok(!reader.asked.includes(handOver), "the node that is read gets none");
  await attacks(origin, hash);

  // The wallet scans on while no page is open. A second start opens the first process, and then ends.
  await page.close();
  await mine(daemon, own, 3);
  const again = await start();
  assert.equal((await again.ended)[0], 0);
  assert.equal(new URL(again.url).origin, origin);
  page = await visitor.newPage();
  await page.setViewportSize({ width: 400, height: 844 });
  await page.goto(again.url);
  await page.getByText(/In sync at block 84/).waitFor();
  await page.reload();
  await page.getByText(/In sync at block 84/).waitFor();
  const other = await visitor.newPage();
  await other.goto(again.url);
  await other.getByText("This address has already been used").waitFor();

  await go(page, "Settings");
  await page.getByText(join(dir, "data", "glim", "wallets-regtest")).waitFor();
  await button(page, "Quit glim").click();
  await page.getByText("glim has ended").waitFor();
  assert.equal((await app.ended)[0], 0);
  assert.deepEqual(troubles, []);

  const files = readdirSync(dir, { recursive: true, withFileTypes: true });
  assert.ok(files.some((f) => f.name === "Purse.glim"));
  assert.deepEqual(
    readdirSync(join(dir, "glim")).filter((name) => !name.endsWith(".lock")),
    [],
    "nothing is left of the process",
  );
  for (const f of files) assert.equal(statSync(join(f.parentPath, f.name)).mode & 0o077, 0, `${f.name} is private`);
  const secret = join(dir, "password");
  writeFileSync(secret, password, { mode: 0o600 });
  const folderFlags = ["--wallet-dir", join(dir, "data", "glim", "wallets-regtest"), "--password-file", secret];
  const { stdout } = await exec(glim(), ["wallet", "status", "Purse", "--regtest", "--offline", ...folderFlags]);
  assert.match(stdout, /Purse is a wallet on regtest and has read 84 blocks/);
});

/** Pays a name that has an address, and not one without. */
async function payNames(page) {
  // The engine finds no DNS server. What it would find for a signed name is made up here.
  const asked = [];
  await page.route("**/json_rpc", async (route) => {
    const { id, method, params } = route.request().postDataJSON();
    if (method !== "validate_address" || !params.allow_openalias) return route.continue();
    asked.push(params.address);
    if (params.address !== "donate.example.org") return route.continue();
    const result = { valid: true, integrated: false, subaddress: false, nettype: "mainnet", openalias_address: payee };
    await route.fulfill({ json: { jsonrpc: "2.0", id, result } });
  });
  await go(page, "Send");
  const to = page.getByLabel("To", { exact: true });
  await to.fill("forged.example.org");
  await page.getByLabel("Amount").fill("0.5");
  await page.getByText("forged.example.org gives no Monero address of this network that DNSSEC protects.").waitFor();
  await button(page, "Review").click();
  assert.equal(await sendNow(page).count(), 0, "a name without an address is not paid");
  await to.fill("donate@example.org");
  await button(page, "Review").click();
  await page.getByText("Address of donate.example.org").waitFor();
  await eventually(async () => (await page.locator("main").innerText()).replace(/\s/g, ""), new RegExp(payee));
  await sendNow(page).and(page.locator(":enabled")).click();
  await page.getByRole("heading", { name: "Sent" }).waitFor();
  assert.deepEqual([...new Set(asked)], ["forged.example.org", "donate.example.org"]);
  await page.unroute("**/json_rpc");
}

/** What other pages in the same browser, and other programs, may not do. */
async function attacks(origin, used) {
  const blocked = await listen(
    all,
    createServer((_, res) => res.setHeader("content-type", "text/html").end("<p>evil")),
  );
  const evil = await (await context(chromium)).newPage();
  await evil.goto(blocked);
  const tried = await evil.evaluate(
    async ([target, ticket]) => {
      const seen = [];
      const tryFetch = async (path, init) => {
        try {
          const r = await fetch(target + path, init);
          seen.push(`${path}: ${r.type === "opaque" ? "sent" : r.status}`);
        } catch {
          seen.push(`${path}: refused`);
        }
      };
      await tryFetch("/");
      await tryFetch("/app/state");
      await tryFetch("/app/session", { method: "POST", body: JSON.stringify({ ticket }) });
      await tryFetch("/json_rpc", { method: "POST", headers: { authorization: "Bearer x" }, body: "{}" });
      await new Promise((resolve) => {
        const source = new EventSource(`${target}/wallets/Purse/events`);
        source.onerror = () => resolve(source.close());
        source.onopen = () => resolve(seen.push("events: open"));
      });
      await new Promise((resolve) => {
        const socket = new WebSocket(target.replace("http", "ws"));
        socket.onerror = resolve;
        socket.onopen = () => resolve(seen.push("socket: open"));
      });
      const script = document.createElement("script");
      script.src = `${target}/app/state`;
      const loaded = new Promise((resolve) => {
        script.onload = () => resolve("loaded");
        script.onerror = () => resolve("refused");
      });
      document.head.append(script);
      seen.push(`script: ${await loaded}`);
      return seen;
    },
    [origin, used.slice(1)],
  );
  assert.deepEqual(tried, [
    "/: refused",
    "/app/state: refused",
    "/app/session: refused",
    "/json_rpc: refused",
    "script: refused",
  ]);
  await evil.evaluate((target) => {
    const frame = document.createElement("iframe");
    frame.src = target;
    document.body.append(frame);
  }, origin);
  await eventually(() => evil.frames().length, 2);
  await eventually(() => evil.frames()[1].url(), /^chrome-error:/, "the page cannot be framed");
  // A form that another page submits is refused, and a page that it opens has no session.
  await evil.setContent(`<form method="post" action="${origin}/app/quit"><button>go</button></form>`);
  const [answer] = await Promise.all([evil.waitForResponse(`${origin}/app/quit`), evil.click("button")]);
  assert.equal(answer.status(), 403);
  const linked = await evil.context().newPage();
  await linked.goto(`${origin}/#${"x".repeat(43)}`);
  await linked.getByText("This address has already been used").waitFor();
  await evil.context().close();

  // The files with secrets are private, and the command lines of processes contain none.
  const run = JSON.parse(readFileSync(join(dir, "glim", "app-regtest.json"), "utf8"));
  const at = (path, headers, init) =>
    fetch(`${origin}${path}`, { ...init, headers: { ...headers }, signal: AbortSignal.timeout(patience) });
  assert.equal((await at("/app/state", { authorization: `Bearer ${run.owner}` })).status, 401);
  assert.equal((await at("/app/ticket", { authorization: "Bearer no" }, { method: "POST" })).status, 401);
}
