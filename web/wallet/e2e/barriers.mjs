// What keeps people from using a page: what axe finds, targets that are too small for a finger, motion that somebody
// does not want.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { eventually, patience } from "./eventually.mjs";

// The package is that of the folder in which the tests run: this file also serves the extension's tests.
const axe = readFileSync(createRequire(join(process.cwd(), "package.json")).resolve("axe-core/axe.min.js"), "utf8");

/** The rules of WCAG 2.1 AA. */
export const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];

// What is drawn a moment later counts: barriers and targets look again until a page is in order, or a time in
// milliseconds is over.

/**
 * Fails if axe finds anything on the page: by default against WCAG 2.2 AA and its advice beyond, otherwise these rules.
 */
export const barriers = (page, name, rules = undefined, within = patience) =>
  eventually(() => violations(page, rules), [], `barriers on ${name}`, within);

async function violations(page, rules) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  return page.evaluate(
    (runOnly) =>
      globalThis.axe
        .run(document, {
          ...(runOnly && { runOnly }),
          resultTypes: ["violations"],
          preload: false, // it would make copies of style sheets, which the page's policy forbids in Firefox
        })
        .then((r) =>
          r.violations.map((v) => {
            const nodes = v.nodes.map((n) => `${n.html.slice(0, 160)} ${(n.failureSummary ?? "").split("\n")[1]}`);
            return `${v.id}: ${v.help}: ${nodes.join(" | ")}`;
          }),
        ),
    rules,
  );
}

/** Fails if something that can be pressed is smaller than 44 by 44. The label of a control belongs to it. */
export const targets = (page, name, within = patience) =>
  eventually(() => small(page), [], `targets on ${name}`, within);

const small = (page) =>
  page.evaluate(() => {
    const dialogs = [...document.querySelectorAll("dialog[open]")];
    const top = dialogs.at(-1) ?? document;
    const roles = ["button", "link", "radio", "checkbox", "switch", "tab", "menuitem"].map((r) => `[role=${r}]`);
    const found = [];
    for (const e of top.querySelectorAll(
      ["a[href]", "button", "input", "select", "textarea", "summary", ...roles].join(),
    )) {
      if (e.closest("[inert]") || e.classList.contains("skip") || !e.checkVisibility({ visibilityProperty: true }))
        continue;
      let box = e.getBoundingClientRect();
      const label = ["checkbox", "radio"].includes(e.type) ? e.closest("label") : null;
      if (label) box = label.getBoundingClientRect();
      if (box.width === 0 && box.height === 0) continue;
      if (box.width < 43.99 || box.height < 43.99)
        found.push(`${(label ?? e).outerHTML.slice(0, 110)} is ${box.width.toFixed(1)} by ${box.height.toFixed(1)}`);
    }
    return found;
  });

/** Returns by how many pixels the page is wider than the window. */
export const tooWide = (page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return Math.max(0, scrollWidth - clientWidth);
  });

/** Fails if something moves although the person asked for less motion. */
export async function still(page, name) {
  const moving = await page.evaluate(() =>
    document.getAnimations().map((a) => `${a.animationName ?? a.transitionProperty} of ${a.effect?.target?.className}`),
  );
  assert.deepEqual(moving, [], `motion on ${name}`);
}

/** Checks all of this on a page of a phone, in both themes. */
export async function usable(page, name) {
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await barriers(page, `${name} ${colorScheme}`);
  }
  await still(page, name);
  await targets(page, name);
}
