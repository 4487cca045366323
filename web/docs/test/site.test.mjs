// The finished site in Chromium, from a server and from the disk, and the checks that a build makes.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { browser, context, folder, serve } from "../../sdk/test/tools.mjs";
import { policy, problems } from "../check.mjs";
import { linked } from "../pages.mjs";

const site = fileURLToPath(new URL("../dist", import.meta.url));

test("the pages, the search and the colours work under the policy, from a server and from the disk", async (t) => {
  const tabs = await context(await browser(t));
  const served = await serve(t, { "/": site }, { "content-security-policy": policy });
  for (const start of [served, pathToFileURL(site).href]) {
    const tab = await tabs.newPage();
    const foreign = [];
    const trouble = [];
    tab.on("request", (r) => r.url().startsWith(start) || foreign.push(r.url()));
    tab.on("console", (m) => m.type() === "error" && trouble.push(m.text()));
    tab.on("pageerror", (e) => trouble.push(String(e)));
    await tab.goto(`${start}/index.html`);
    await tab.locator(".site-menu summary", { hasText: "For programs and operators" }).click();
    await tab.locator(".site-menu a", { hasText: /^The wallet service$/ }).click();
    await tab
      .getByRole("heading", { name: /^The wallet service/ })
      .first()
      .waitFor();
    await tab.goto(`${start}/index.html`);
    await tab.getByRole("button", { name: "Search" }).click();
    await tab.getByRole("combobox").fill("useBalance");
    await tab
      .getByRole("option", { name: /useBalance/ })
      .first()
      .click();
    await tab
      .getByRole("heading", { name: /useBalance/ })
      .first()
      .waitFor();
    assert.deepEqual({ foreign, trouble }, { foreign: [], trouble: [] }, start);
    await tab.close();
  }
});

test("a build fails for broken links and for what a page loads from elsewhere", (t) => {
  const made = folder(t);
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy.replaceAll("'", "&#39;")}"/>`;
  const wrong = {
    "link.html": ['<a href="none.html">x</a>', /link\.html: no file for the link none\.html/],
    "anchor.html": ['<p id="a"></p><a href="#b">x</a>', /no heading for the link #b/],
    "tracker.html": ['<script src="https://elsewhere.example/a.js"></script>', /loads from elsewhere/],
    "picture.html": ['<img src="//elsewhere.example/a.svg"/>', /loads from elsewhere/],
    "inline.html": ["<script>alert(1)</script>", /has an inline script/],
    "style.html": ['<p style="color: red">x</p>', /has an inline style/],
    "handler.html": ['<p onclick="x()">x</p>', /has an inline event handler/],
  };
  for (const [name, [body]] of Object.entries(wrong)) writeFileSync(join(made, name), head + body);
  writeFileSync(join(made, "right.html"), `${head}<p id="a"></p><a href="#a">x</a><a href="https://x.example">x</a>`);
  writeFileSync(join(made, "policy.html"), "<p></p>");
  const found = problems(made);
  for (const [name, [, what]] of Object.entries(wrong))
    assert.ok(
      found.some((line) => line.startsWith(name) && what.test(line)),
      name,
    );
  assert.ok(found.includes("policy.html: states no content security policy"));
  assert.ok(!found.some((line) => line.startsWith("right.html")));
});

test("links to pages stay, links to sources become text, links to nothing are reported", (t) => {
  const made = folder(t);
  mkdirSync(join(made, "a"));
  for (const name of ["a/one.md", "a/code.go", "two.md", "two.svg"]) writeFileSync(join(made, name), "");
  const found = { broken: [], pictures: new Set() };
  const text = "[two](../two.md#x) [code](code.go) [none](none.md) [web](https://x.example) ![p](../two.svg)";
  const pages = new Set(["a/one.md", "two.md"]);
  assert.equal(
    linked(made, "a/one.md", `${text}\n\`\`\`\n[none](gone.md)\n\`\`\``, pages, found),
    "[two](../two.md#x) code none [web](https://x.example) ![p](../two.svg)\n```\n[none](gone.md)\n```",
  );
  assert.deepEqual(found.broken, ["a/one.md: none.md does not exist"]);
  assert.deepEqual([...found.pictures], ["two.svg"]);
});
