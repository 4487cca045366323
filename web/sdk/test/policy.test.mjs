// The package under strict content security policies: from the page's own origin, and from another one, as from a CDN.
// What the README calls the smallest policy suffices, and nothing of it can be left out.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { browser, context, folder, sdk, serve } from "./tools.mjs";

const ends = [];
let tabs;
let cdn;
before(async () => {
  const all = { after: (end) => ends.push(end) };
  tabs = await context(await browser(all));
  cdn = await serve(all, { "/": join(sdk, "dist") }, { "access-control-allow-origin": "*" });
});
after(async () => {
  for (const end of ends.reverse()) await end();
});

/** The policies in the README, with the hosts of this test in place of its own. */
const [own, foreign] = [...readFileSync(join(sdk, "README.md"), "utf8").matchAll(/^default-src 'none';.*$/gm)].map(
  ([line]) => line.replaceAll("https://cdn.example", "CDN").replace(" https://node.example:18089", ""),
);

const story = `
const trouble = [];
document.addEventListener("securitypolicyviolation", (e) => trouble.push(e.effectiveDirective + " " + e.blockedURI));
const options = { network: "regtest", daemon: "embedded:", database: "", workers: 1, kdf: { time: 1, memory: 64 } };
try {
  const { Glim } = await import(from);
  const glim = await Glim.start(options);
  const wallet = await glim.create({ name: "wallet", password: "p", language: "Italian" });
  const [{ address }] = await wallet.addresses();
  await glim.daemon.generateblocks({ amount_of_blocks: 80n, wallet_address: address, starting_nonce: 0 });
  await wallet.sync();
  const [txid] = await (await wallet.send({ to: address, amount: 5n })).confirm();
  await glim.stop();
  document.title = /^[0-9a-f]{64}$/.test(txid) ? "paid" : "no transaction";
} catch (error) {
  document.title = "failed: " + (trouble.join(", ") || error);
}
`;

/** Runs the story in a page with a policy, with the package from the address. Returns the title of the page. */
async function run(t, from, policy) {
  const dir = folder(t);
  writeFileSync(join(dir, "app.js"), `const from = ${JSON.stringify(from)};\n${story}`);
  writeFileSync(
    join(dir, "index.html"),
    '<!doctype html><meta charset="utf-8"><script type="module" src="app.js"></script>',
  );
  const site = await serve(t, { "/glim/": join(sdk, "dist"), "/": dir }, { "content-security-policy": policy });
  const tab = await tabs.newPage();
  try {
    await tab.goto(site);
    await tab.waitForFunction(() => document.title !== "");
    return await tab.title();
  } finally {
    await tab.close();
  }
}

/** Each policy with one source less than the given one. */
function* less(policy) {
  const directives = policy.split("; ").slice(1);
  for (const directive of directives) {
    const [name, ...sources] = directive.split(" ");
    for (const source of sources) {
      const rest = sources.filter((s) => s !== source).join(" ") || "'none'";
      yield [`${name} ${source}`, policy.replace(directive, `${name} ${rest}`)];
    }
  }
}

for (const [where, policy, at] of [
  ["the page's own origin", () => own, () => "/glim/index.js"],
  ["another origin", () => foreign.replaceAll("CDN", cdn), () => `${cdn}/index.js`],
]) {
  test(`from ${where}, the policy of the README suffices`, async (t) => {
    assert.equal(await run(t, at(), policy()), "paid");
  });

  test(`from ${where}, the policy of the README is the smallest`, async (t) => {
    for (const [missing, smaller] of less(policy())) {
      if (missing === "script-src 'self'") continue; // the page's own script does not start without it
      assert.match(await run(t, at(), smaller), /^failed: /, `without ${missing}`);
    }
  });
}
