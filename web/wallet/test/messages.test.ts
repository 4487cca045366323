import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseSync } from "vite";
import { duration } from "../src/lib/progress.js";
import { dayName } from "../src/lib/time.js";
import { languageFor, t, use, type Language } from "../src/lib/i18n.js";
import { en } from "../src/messages/en.js";
import { languages, translations } from "../src/messages/languages.js";
import type { Messages } from "../src/messages/types.js";

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
  assert.equal(languageFor("auto", ["cy", "de-AT", "en"]), "de");
  assert.equal(languageFor("auto", ["zh-Hant-TW"]), "zh");
  assert.equal(languageFor("pt", ["de"]), "pt");
  assert.equal(languageFor("auto", ["tlh", "xx"]), "en");
  assert.equal(languageFor("auto", []), "en");
  assert.equal(languageFor("nonsense", ["de"]), "en");
});

const all = new Map<Language, Messages>([["en", en]]);
for (const [code, { load }] of Object.entries(translations)) all.set(code as Language, (await load()).messages);

/** Returns the placeholders and elements of a text, in the order of the alphabet. */
const parameters = (text: string): string[] => (text.match(/\{\w+\}|<\/?\w+>/g) ?? []).sort();

test("there are English and the ten languages of the seed words' communities", () => {
  assert.deepEqual(languages.map(([code]) => code).join(" "), "en de es fr it ja ko nl pt ru zh");
});

test("every language has every message, with the same placeholders and elements", () => {
  for (const [code, messages] of all) {
    assert.deepEqual(Object.keys(messages).sort(), Object.keys(en).sort(), code);
    for (const [key, message] of Object.entries(messages)) {
      const english = en[key as keyof typeof en];
      assert.equal(typeof message, typeof english, `${code}: ${key}`);
      const wanted = typeof english === "string" ? english : english.other;
      const texts = typeof message === "string" ? [message] : Object.values(message as Record<string, string>);
      for (const text of texts) {
        assert.ok(text.trim() !== "" && text.trim() === text, `${code}: ${key}: ${text}`);
        // A plural form for exactly one thing need not name the number.
        const found = parameters(text).filter((name) => name !== "{count}" || typeof message === "string");
        const want = parameters(wanted).filter((name) => name !== "{count}" || typeof message === "string");
        assert.deepEqual(found, want, `${code}: ${key}`);
      }
    }
  }
});

test("every language has the plural forms that its whole numbers need", () => {
  for (const [code, messages] of all) {
    const rules = new Intl.PluralRules(code);
    const needed = new Set(Array.from({ length: 1000 }, (_, n) => rules.select(n)));
    for (const [key, message] of Object.entries(messages)) {
      if (typeof message === "string") continue;
      for (const form of needed) assert.ok(Object.hasOwn(message as object, form), `${code}: ${key}: ${form}`);
    }
  }
});

test("a language is translated, not copied", () => {
  for (const [code, messages] of all) {
    if (code === "en") continue;
    // Names and words like "Multisig" are the same in several languages; sentences are not.
    const same = Object.entries(messages).filter(
      ([key, text]) => typeof text === "string" && text === en[key as keyof typeof en] && /\s\S+\s/.test(text),
    );
    assert.deepEqual(
      same.filter(([, text]) => !/^(\{\w+\}|\W|XMR|minus|plus)+$/.test(String(text))).map(([key]) => key),
      [],
      code,
    );
  }
});

test("numbers, plural forms and times follow the language", () => {
  const said = [...all].map(([code, messages]) => {
    use(code, messages);
    return [code, t("common.transactions", { count: 2000 }), duration(25 * 60_000), dayName(new Date())] as const;
  });
  use("en", en);
  assert.deepEqual(said[0], ["en", "2,000 transactions", "25 minutes", "Today"]);
  assert.deepEqual(said[1], ["de", "2.000 Transaktionen", "25 Minuten", "Heute"]);
  assert.deepEqual(said[9], ["ru", "2\u00a0000 транзакций", "25 минут", "Сегодня"]);
  assert.equal(new Set(said.map(([, text]) => text)).size, said.length);
});

test("in a text from right to left, names keep their own direction", () => {
  use("ar" as Language, { ...en, "unlock.wallet": "\u0627\u0641\u062a\u062d {name}." });
  assert.equal(t("unlock.wallet", { name: "My wallet" }), "\u0627\u0641\u062a\u062d \u2068My wallet\u2069.");
  use("en", en);
  assert.equal(t("unlock.wallet", { name: "My wallet" }), "Unlock My wallet.");
});

test("the layout names no left or right side, so that it turns with the direction of the text", () => {
  const sides = /(^|[\s;{])((margin|padding|border)-(left|right)|left|right|text-align:\s*(left|right)|float)\b.*:/;
  for (const folder of [join("src", "styles"), join("..", "extension", "src")]) {
    for (const name of readdirSync(folder).filter((n) => n.endsWith(".css"))) {
      const lines = readFileSync(join(folder, name), "utf8").split("\n");
      assert.deepEqual(
        lines.filter((line) => sides.test(line) || /text-align:\s*(left|right)/.test(line)),
        [],
        name,
      );
    }
  }
});
