// Public nodes: the wallet chooses among usable and unusable ones, says which it uses, and goes on when they fail.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { listen, mine, ownDaemon, port, wayTo } from "../../sdk/test/tools.mjs";
import { address, button, create, go, sendNow, unlock } from "./acts.mjs";
import { scenario, shot, start } from "./browser.mjs";
import { eventually } from "./eventually.mjs";

const miner = "48RZZ1PV97QQ8z2nNX5AePeAaDvWuoC1bgizAxJB6Tuhbq7Qit2zB1c653w8BdSy2UMdGWzQi7F3pZfjaxBibzQKEYxJh4U";
const password = "correct horse battery staple";
const ends = [];
let app, page, chain, usable, wrong, behind, closed, silent, reader, sender;

before(async () => {
  const all = { after: (end) => ends.push(end) };
  chain = await ownDaemon(all);
  await mine(chain, miner, 30);
  usable = [await wayTo(all, chain), await wayTo(all, chain)];
  reader = await noted(await wayTo(all, chain));
  sender = await noted(await wayTo(all, chain));
  wrong = await altered(all, { nettype: "mainnet" });
  behind = await altered(all, { height: 5, target_height: 5 });
  closed = { address: `http://127.0.0.1:${await port()}` };
  // It answers like a node, but sends no CORS headers.
  const info = await (await fetch(`${chain}/get_info`)).text();
  silent = {
    address: await listen(
      all,
      createServer((_, response) => response.end(info)),
    ),
  };
  const list = [wrong, behind, closed, silent, ...usable].map(({ address }) => ({ address, source: "this test" }));
  app = await start({ nodes: { gateway: {}, mainnet: [{ address: closed.address }], regtest: list } });
  ({ page } = app);
});
after(async () => {
  await app?.end();
  for (const end of ends.reverse()) await end();
});

/** A node that notes the paths that it is asked for. */
async function noted(way) {
  way.asked = [];
  way.seen = async (path) => void way.asked.push(path);
  return way;
}

/** A node whose get_info claims something else. */
async function altered(all, claims) {
  const way = await wayTo(all, chain);
  way.change = (path, body) =>
    path === "/get_info" ? Buffer.from(JSON.stringify({ ...JSON.parse(body), ...claims })) : body;
  return way;
}

test("the wallet uses a public node without being told which", () => scenario(page, "nodes", publicNodes));

const bare = ({ address }) => address.replace("http://", "");
const row = (node) =>
  page
    .getByRole("list", { name: "Public nodes" })
    .getByRole("listitem")
    .filter({ hasText: bare(node) });
const dialog = () => page.getByRole("dialog");

async function publicNodes() {
  // No node of the main network can be used: the page says why.
  await page
    .locator("header")
    .getByRole("button", { name: /^Public node.*No public node can be used/ })
    .click();
  await dialog().getByText("Cannot be reached: 1").waitFor();
  await page.getByLabel("Network").selectOption("regtest");
  await button(page, "Save").click();
  await page
    .locator("header")
    .getByRole("button", { name: /^Public node 127.*Connected$/ })
    .click();

  await button(page, "Ask all of them again").click();
  await row(wrong).getByText("On another network").waitFor();
  await row(behind).getByText("Behind the others").waitFor();
  await row(closed).getByText("Cannot be reached").waitFor();
  await row(silent).getByText("Does not allow web pages (CORS)").waitFor();
  for (const node of usable)
    await row(node)
      .getByText(/^Height 31, /)
      .waitFor();
  await page.getByText("In use", { exact: true }).waitFor();
  await page.getByText("Confirms", { exact: true }).waitFor();
  const inUse = await eventually(
    () => Promise.all(usable.map((node) => row(node).getByText("In use").isVisible())),
    (all) => assert.equal(all.filter(Boolean).length, 1, "one of the usable nodes is in use"),
  );
  const [first, second] = inUse[0] ? usable : [...usable].reverse();
  await row(second).getByText("Confirms").waitFor();
  await shot(page, "node-public", { dark: true });
  await dialog().getByRole("button", { name: "Close" }).click();

  await create(page, "Purse", password);
  await page.getByText("In sync at block 31").waitFor();
  await go(page, "Settings");
  await page.getByText(first.address).first().waitFor();
  await page.getByText(`${second.address} confirms the end of the chain`).waitFor();
  await shot(page, "settings-public", { dark: true });

  // The node dies: the wallet goes on with the other one, and stays open.
  await go(page, "Home");
  first.gone = true;
  await mine(chain, miner, 5);
  await page.getByText("In sync at block 36").waitFor();
  await go(page, "Settings");
  await button(page, "Check again").click();
  await page.getByText(second.address).first().waitFor();
  await page.getByText("No second node confirms what it says.").waitFor();

  // The other one dies as well: the page says why no node can be used, and offers to choose one.
  second.gone = true;
  await button(page, "Check again").click();
  await page.locator("main .notice strong", { hasText: "No public node can be used" }).waitFor();
  await go(page, "Home");
  await page
    .getByText(/Cannot be reached: 3/)
    .first()
    .waitFor();
  await shot(page, "home-no-node", { dark: true });
  await button(page, "Choose a node").first().click();
  await dialog().getByRole("radio", { name: "My own" }).click();
  await secondNode();

  // The browser itself logs requests that fail; there must be nothing else.
  assert.deepEqual(
    app.troubles.filter((text) => !/net::ERR|CORS|Failed to load/.test(text)),
    [],
  );
}

/** Transactions go to a second node only, and nowhere else if that node fails. */
async function secondNode() {
  await dialog().getByLabel("Node address").fill(reader.address);
  await dialog().getByText("Send through another node").click();
  const second = dialog().getByLabel("Node for sending");
  await second.fill(reader.address);
  await dialog().getByText("This is the node you read from.").waitFor();
  await eventually(() => button(page, "Save").isEnabled(), false, "one node for both");
  await second.fill(sender.address);
  await shot(page, "node-sending", { dark: true });
  await button(page, "Save").click();
  await unlock(page, "Purse", password);
  await mine(chain, await address(page), 66); // the first rewards unlock
  await go(page, "Settings");
  await page.getByText(`Transactions are sent to ${sender.address}.`).waitFor();
  await shot(page, "settings-sending", { dark: true });
  await go(page, "Home");
  await page.getByText("In sync at block 102").waitFor();
  assert.deepEqual(sender.asked, [], "the second node is asked for nothing");

  await review();
  await sendNow(page).click();
  await page.getByRole("heading", { name: "Sent" }).waitFor();
  await eventually(
    () => [...new Set(sender.asked)], // the browser asks whether the page may, and then the page asks
    (all) => assert.deepEqual(all, [handOver]),
  );

  const before = sender.asked.length;
  sender.gone = true;
  await review();
  await sendNow(page).click();
  await page.getByText(`The payment was given to ${sender.address} only`).waitFor();
  await shot(page, "send-second-node-fails", { dark: true });
  assert.ok(sender.asked.length > before);
  assert.ok(!reader.asked.includes(handOver), "the node that is read gets no transaction");
}

const handOver = "/send_raw_transaction";

async function review() {
  await go(page, "Send");
  await page.getByLabel("To", { exact: true }).fill(miner);
  await page.getByLabel("Amount").fill("0.5");
  await button(page, "Review").click();
  await sendNow(page).and(page.locator(":enabled")).waitFor();
}
