// The package loaded from another origin than the page, as from a CDN.
import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "node:path";

import { judge } from "./payment.mjs";
import { browser, context, sdk, serve } from "./tools.mjs";

test("a payment in a page that loads the package from another origin", async (t) => {
  const elsewhere = await serve(
    t,
    { "/glim/": `${join(sdk, "dist")}/`, "/test/": `${join(sdk, "test")}/` },
    { "access-control-allow-origin": "*" },
  );
  const site = await serve(t, { "/": `${join(sdk, "test")}/` });
  assert.notEqual(new URL(site).origin, new URL(elsewhere).origin);
  const page = await (await context(await browser(t))).newPage();
  const trouble = [];
  page.on("console", (m) => m.type() === "error" && trouble.push(m.text()));
  page.on("pageerror", (e) => trouble.push(e.message));
  await page.goto(`${site}/empty.html`);
  const result = await page.evaluate(async (from) => {
    const [glim, { payment }] = await Promise.all([
      import(`${from}/glim/index.js`),
      import(`${from}/test/payment.mjs`),
    ]);
    return payment(glim, { database: "elsewhere", workers: 2 });
  }, elsewhere);
  judge(assert, result);
  assert.deepEqual(trouble, []);
});
