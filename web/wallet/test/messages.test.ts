import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseSync } from "vite";
import { languageFor, t } from "../src/lib/i18n.js";
import { en } from "../src/messages/en.js";

/** Attributes and members whose text the user sees or a screen reader reads. */
const shown = new Set(
  "action about alt aria-label error hint label name next placeholder purpose sub text title what".split(" "),
);
/** Names and units, which are the same in every language; languages of seed words are called by their own name. */
const universal = new Set(["XMR", "glim", "Feather, Keystone, glim"]);
for (const name of "English 日本語 한국어 Español Français Italiano Čeština Português 简体中文 繁體中文".split(" "))
  universal.add(name);
/** Calls whose text reaches the user. */
const speaking = new Set(["say", "setError", "Told", "TooLarge"]);

interface Node {
  type: string;
  start: number;
  [member: string]: unknown;
}

/** Returns the texts in a source file that are not in the catalogue, with their lines. */
export function strayTexts(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  assert.deepEqual(errors, [], file);
  const found: string[] = [];
  const report = (node: Node, text: string): void => {
    // A word in small letters is a name in the code, an address or a name of a file is not language.
    if (
      !/\p{L}{2}/u.test(text) ||
      /^[a-z_.-][\w.-]*$/.test(text) ||
      /^[a-z]+:\S*$/.test(text) ||
      universal.has(text.trim())
    )
      return;
    found.push(`${file}:${source.slice(0, node.start).split("\n").length}: ${text.trim()}`);
  };
  /** Reports the texts of which an expression may be one, but not those that it only compares or looks up. */
  const texts = (node: Node | undefined): void => {
    switch (node?.type) {
      case "Literal":
        if (typeof node.value === "string") report(node, node.value);
        return;
      case "TemplateLiteral":
        for (const q of node.quasis as { value: { cooked: string } }[]) report(node, q.value.cooked);
        return;
      case "JSXExpressionContainer":
      case "ParenthesizedExpression":
        texts(node.expression as Node);
        return;
      case "ConditionalExpression":
        texts(node.consequent as Node);
        texts(node.alternate as Node);
        return;
      case "LogicalExpression":
      case "BinaryExpression":
        if (/^(\+|&&|\|\||\?\?)$/.test(String(node.operator))) texts(node.left as Node);
        if (/^(\+|&&|\|\||\?\?)$/.test(String(node.operator))) texts(node.right as Node);
        return;
    }
  };
  const isKey = (text: unknown): boolean => typeof text === "string" && Object.hasOwn(en, text);
  const visit = (node: Node): void => {
    const { name, key, callee } = node as { name?: Node; key?: Node; callee?: Node };
    if (node.type === "JSXText") {
      if (/\p{L}{2}/u.test(String(node.value)) && !universal.has(String(node.value).trim()))
        found.push(`${file}:${source.slice(0, node.start).split("\n").length}: ${String(node.value).trim()}`);
    } else if (node.type === "JSXElement" || node.type === "JSXFragment") {
      for (const child of node.children as Node[]) if (child.type === "JSXExpressionContainer") texts(child);
    } else if (node.type === "JSXAttribute" && shown.has(String(name?.name))) texts(node.value as Node | undefined);
    else if (node.type === "Property" && shown.has(String(key?.name ?? key?.value))) {
      if (!isKey((node.value as Node).value)) texts(node.value as Node);
    } else if (node.type === "CallExpression" || node.type === "NewExpression") {
      if (speaking.has(String(callee?.name))) for (const argument of node.arguments as Node[]) texts(argument);
    } else if (node.type === "ArrayExpression") {
      // A pair of an option's value and its text.
      const [value, text, ...more] = node.elements as (Node | null)[];
      if (value?.type === "Literal" && text && more.length === 0 && !isKey(text.value)) texts(text);
    }
    for (const member of Object.values(node)) {
      for (const child of Array.isArray(member) ? member : [member])
        if (typeof child === "object" && child !== null && typeof (child as Node).type === "string")
          visit(child as Node);
    }
  };
  visit(program as unknown as Node);
  return found;
}

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("messages"))
    .map((name) => join(folder, name));

test("all texts that the user sees are in the catalogue", () => {
  const files = [...sources("src"), ...sources(join("..", "extension", "src"))];
  assert.ok(files.length > 80);
  assert.deepEqual(
    files.flatMap((file) => strayTexts(file, readFileSync(file, "utf8"))),
    [],
  );
});

test("a text outside the catalogue is found", () => {
  for (const source of [
    "<p>Hello there</p>",
    '<Notice title="Hello there" />',
    ["<b>{many ? `$", "{n} pages` : null}</b>"].join(""),
    '<Field hint={short ? "Too short" : undefined} />',
    'say("Saved")',
    '<Pick options={[["a", "Apples"]]} />',
    'const names = { title: "Hello" }',
  ])
    assert.equal(strayTexts("x.tsx", source).length, 1, source);
  for (const source of [
    '<p class="title">{t("common.send")} XMR</p>',
    '<i>{kind === "new" && n}</i>',
    'go("send", "x")',
  ])
    assert.deepEqual(strayTexts("x.tsx", source), [], source);
});

test("every message of the catalogue is used", () => {
  const text = [...sources("src"), ...sources(join("..", "extension", "src"))]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  // These are composed of a name that the engine or the check of a node gives.
  const composed = /^(error|errorNext|health|healthNext|nodeState)\./;
  assert.deepEqual(
    Object.keys(en).filter((key) => !composed.test(key) && !text.includes(`"${key}"`)),
    [],
  );
});

test("messages take names, numbers and plural forms", () => {
  assert.equal(t("common.someOf", { some: 2, all: 1500 }), "2 of 1,500");
  assert.equal(t("common.transactions", { count: 1 }), "1 transaction");
  assert.equal(t("common.transactions", { count: 0n }), "0 transactions");
});

test("the language is the first of the browser's that the app has", () => {
  assert.equal(languageFor("auto", ["en-GB", "de"]), "en");
  assert.equal(languageFor("auto", ["tlh", "xx"]), "en");
  assert.equal(languageFor("auto", []), "en");
  assert.equal(languageFor("nonsense", ["de"]), "en");
});
