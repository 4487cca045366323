// Checks of the finished site: every link leads somewhere, and no page loads or runs anything from elsewhere.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The policy of every page. The site needs no script, style or picture of another host, and no inline one. */
export const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'";

const plain = (text) =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");

/** The values of an attribute in a page. */
const values = (html, attribute) =>
  [...html.matchAll(new RegExp(`<[a-z][^>]*?\\s${attribute}="([^"]*)"`, "gi"))].map((m) => plain(m[1]));

/** Returns what is wrong with the pages below a folder, one line each. */
export function problems(site) {
  const found = [];
  const pages = new Map();
  for (const name of readdirSync(site, { recursive: true })) {
    if (name.endsWith(".html")) pages.set(join(site, name), readFileSync(join(site, name), "utf8"));
  }
  const ids = new Map();
  const anchors = (page) => {
    if (!ids.has(page)) ids.set(page, new Set(values(pages.get(page), "id")));
    return ids.get(page);
  };
  for (const [page, html] of pages) {
    const say = (problem) => found.push(`${relative(site, page)}: ${problem}`);
    for (const target of [...values(html, "href"), ...values(html, "src")]) {
      if (/^(https?|mailto|monero):/i.test(target) || target.startsWith("#icon-")) continue; // icons.js has the icons
      const [path, fragment = ""] = target.split("#");
      const file = path === "" ? page : join(dirname(page), decodeURIComponent(path.split("?")[0]));
      if (!file.startsWith(site) || !existsSync(file) || !statSync(file).isFile())
        say(`no file for the link ${target}`);
      else if (fragment !== "" && pages.has(file) && !anchors(file).has(decodeURIComponent(fragment)))
        say(`no heading for the link ${target}`);
    }
    for (const [tag] of html.matchAll(/<(script|link|img|iframe|source|object|embed|form)\b[^>]*>/gi)) {
      if (/\b(src|href|action|data)="(https?:)?\/\//i.test(tag)) say(`loads from elsewhere: ${tag}`);
      if (/^<script\b(?![^>]*\bsrc=)/i.test(tag)) say("has an inline script");
    }
    if (/<style\b/i.test(html) || /<[a-z][^>]*\sstyle="/i.test(html)) say("has an inline style");
    if (/<[a-z][^>]*\son[a-z]+="/i.test(html)) say("has an inline event handler");
    if (!html.includes(policy.replaceAll("'", "&#39;"))) say("states no content security policy");
  }
  return found;
}
