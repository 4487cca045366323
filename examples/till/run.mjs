// Opens the till in Chromium, with a wallet service and a private chain, makes two sales and pays them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Glim } from "../../web/sdk/dist/node.js";
import * as tools from "../../web/sdk/test/tools.mjs";

const { glim, mine, patience } = tools;
const ends = [];
const t = { after: (end) => ends.push(end) };
const login = { username: "till", password: "the till's password" };
const nobody = "48RZZ1PV97QQ8z2nNX5AePeAaDvWuoC1bgizAxJB6Tuhbq7Qit2zB1c653w8BdSy2UMdGWzQi7F3pZfjaxBibzQKEYxJh4U";

try {
  const daemon = await tools.ownDaemon(t);
  const here = fileURLToPath(new URL(".", import.meta.url));
  const site = await tools.serve(t, { "/glim/": join(tools.sdk, "dist/"), "/": here });
  const url = await walletService(daemon, site);
  const shop = await Glim.connect({ network: "regtest", url, login });
  ends.push(() => shop.stop());

  // The owner makes a view-only copy for the till. The owner's wallet belongs on another machine.
  const owner = await shop.create({ name: "owner", password: "correct horse" });
  const till = await shop.restore({ name: "till", password: "battery staple", ...(await owner.watch()) });
  await till.rpc.autoRefresh({ period: 1 }); // seconds; 20 by default
  const customer = await shop.create({ name: "customer", password: "staple" });
  const [{ address }] = await customer.addresses();
  await mine(daemon, address, 80);
  await customer.sync();

  const page = await (await tools.context(await tools.browser(t))).newPage();
  page.setDefaultTimeout(patience);
  page.on("pageerror", (error) => console.error(error));
  await page.goto(`${site}/index.html`);
  await page.evaluate(() => (document.documentElement.dataset.network = "regtest"));
  await page.getByLabel("Wallet service").fill(url);
  await page.getByLabel("User").fill(login.username);
  await page.getByLabel("Password").fill(login.password);
  await page.getByRole("button", { name: "Connect" }).click();
  const state = async (text) => {
    await page.locator("#state", { hasText: text }).waitFor();
    console.log(text);
  };
  await state("ready");
  for (const [amount, states] of [
    ["0.05", ["paid: 0.05 XMR"]],
    ["0.75", ["received, 0 of 1 confirmations", "paid: 0.75 XMR"]],
  ]) {
    await page.getByLabel("XMR").fill(amount);
    await page.getByLabel("For").fill("tea & cake");
    await page.getByRole("button", { name: "Charge" }).click();
    await state(`waiting for ${amount} XMR`);
    const dialog = page.getByRole("dialog");
    const preview = await customer.send({ to: await dialog.getByRole("link").getAttribute("href") });
    await preview.confirm();
    await state(states[0]);
    await mine(daemon, nobody, 11); // so that the change can pay the next sale
    for (const text of states.slice(1)) await state(text);
    await customer.sync();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  }
} finally {
  for (const end of ends.reverse()) await end();
}

/** Starts a wallet service that the till's page may use, and returns its address. */
async function walletService(daemon, site) {
  const folder = await mkdtemp(join(tmpdir(), "glim-till-"));
  ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const at = await tools.port();
  const args = ["wallet-rpc", "--regtest", "--daemon-address", daemon.replace("http://", ""), "--wallet-dir", folder];
  args.push("--no-keys-file", "--rpc-bind-port", String(at), "--rpc-access-control-origins", site);
  const env = { ...process.env, RPC_LOGIN: `${login.username}:${login.password}` };
  const child = spawn(glim(), args, { stdio: ["ignore", "ignore", "pipe"], env });
  let said = "";
  child.stderr.on("data", (b) => {
    said += b;
  });
  ends.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, "exit");
  });
  const url = `http://127.0.0.1:${at}`;
  for (const until = Date.now() + patience; Date.now() < until; await tools.wait(100)) {
    if (child.exitCode !== null) throw new Error(`the wallet service ended: ${said}`);
    const answered = await fetch(`${url}/json_rpc`, { method: "POST", body: "{}" }).then(
      () => true,
      () => false,
    );
    if (answered) return url;
  }
  throw new Error(`the wallet service does not answer: ${said}`);
}
