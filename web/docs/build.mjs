// Builds the documentation into dist/: the interface of the package for pages, from the comments in its sources, and
// the guides. It fails if a public name has no comment, if a link leads nowhere, or if a page would load anything from
// another host.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { Application, ReflectionKind } from "typedoc";

import { policy, problems } from "./check.mjs";
import { copyPages } from "./pages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const site = join(here, "dist");
const copied = join(root, ".work", "docs");

/** Names of the fields of requests and responses are those of Monero's interface; comments explain some of them. */
const generated = /operations\.ts$/;

/** Returns the public names without a comment. Members of a type without a name belong to the comment above it. */
function bare(project) {
  const kinds =
    ReflectionKind.SomeModule | ReflectionKind.SomeType | ReflectionKind.SomeValue | ReflectionKind.SomeMember;
  const inside = (r, test) => r !== undefined && (test(r) || inside(r.parent, test));
  const fileOf = (r) => project.getSymbolIdFromReflection(r)?.packagePath ?? "";
  return project
    .getReflectionsByKind(kinds & ~ReflectionKind.Project & ~ReflectionKind.Module & ~ReflectionKind.TypeParameter)
    .filter((r) => !inside(r, (p) => p.kindOf(ReflectionKind.TypeLiteral)))
    .filter((r) => !r.inheritedFrom && !r.flags.isPrivate && r.kind !== ReflectionKind.Constructor)
    .filter((r) => !(r.kindOf(ReflectionKind.Property) && generated.test(fileOf(r))))
    .filter((r) => ![r, ...(r.signatures ?? []), r.getSignature, r.setSignature].some((s) => s?.hasComment()))
    .map((r) => `${r.getFullName()} in ${fileOf(r)} has no comment`);
}

function fail(what) {
  for (const line of what) console.error(`docs: ${line}`);
  if (what.length > 0) process.exit(1);
}

rmSync(site, { recursive: true, force: true });
rmSync(copied, { recursive: true, force: true });
const { copies, broken } = copyPages(root, copied);
fail(broken);

const sdk = join(here, "..", "sdk");
const app = await Application.bootstrap({
  entryPoints: ["index", "react", "openalias", "provider", "pay-button"].map((n) => join(sdk, "src", `${n}.ts`)),
  tsconfig: join(sdk, "tsconfig.json"),
  readme: join(copied, "README.md"),
  projectDocuments: copies,
  basePath: root,
  name: "glim",
  navigationLinks: {},
  excludeExternals: true,
  excludePrivate: true,
  hideGenerator: true,
  navigation: { includeGroups: true },
  highlightLanguages: [
    "sh",
    "js",
    "ts",
    "tsx",
    "html",
    "json",
    "go",
    "kotlin",
    "swift",
    "toml",
    "yaml",
    "ini",
    "python",
  ],
  disableSources: true, // the sources have no public address yet
  treatWarningsAsErrors: true,
  validation: { notExported: false, invalidLink: true, invalidPath: true, rewrittenLink: true, notDocumented: false },
  logLevel: "Warn",
});
const project = await app.convert();
if (!project) process.exit(1);
app.validate(project);
fail(bare(project));
await app.generateDocs(project, site);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);

// A strict policy allows neither the script that TypeDoc writes into each page, which chooses the colours, nor the
// style element for its filters.
const inline = /<script>(document\.documentElement\.dataset\.theme[^<]*)<\/script>/;
const filters =
  /var (\w+)=document\.head\.appendChild\(document\.createElement\("style"\)\);\1\.dataset\.for="filters";/;
const sheet =
  "var $1=(s=>(document.adoptedStyleSheets.push(s)," +
  '{text:"",get innerHTML(){return this.text},set innerHTML(t){s.replaceSync(this.text=t)}}))(new CSSStyleSheet);';
const meta = `<meta http-equiv="Content-Security-Policy" content="${policy.replaceAll("'", "&#39;")}"/>`;
const assets = join(site, "assets");
let script;
for (const name of readdirSync(site, { recursive: true })) {
  if (!name.endsWith(".html")) continue;
  const page = join(site, name);
  const html = readFileSync(page, "utf8");
  script ??= inline.exec(html)?.[1];
  const theme = relative(dirname(page), join(assets, "theme.js")).replaceAll("\\", "/");
  const changed = html
    .replace(inline, `<script src="${theme}"></script>`)
    .replace(/<meta charset="utf-8"\/>/i, `$&${meta}`)
    .replaceAll(/href="[^"]*assets\/icons\.svg#/g, 'href="#'); // icons.js draws them, also for pages on the disk
  writeFileSync(page, changed);
}
writeFileSync(join(assets, "theme.js"), `${script}\n`);
const main = readFileSync(join(assets, "main.js"), "utf8");
if (!script || !filters.test(main)) fail(["TypeDoc's pages are not as expected: adapt build.mjs to its version"]);
writeFileSync(join(assets, "main.js"), main.replace(filters, sheet));
fail(problems(site));
