import { Fragment, type ComponentChildren } from "preact";
import { textOf, written, type Key, type Value } from "../lib/i18n.js";
import type { Names, Tags } from "../messages/types.js";

type Props<K extends Key> = { id: K } & { readonly [N in Names<K>]: ComponentChildren | Value } & {
  readonly [N in Tags<K>]: (children: ComponentChildren) => ComponentChildren;
};

/**
 * A message with elements in it. {name} is replaced by the property of that name; <name>text</name> by what the
 * property of that name, a function, returns for the text. So each language can put them where its grammar wants.
 */
export function Text<K extends Key>({ id, ...values }: Props<K>) {
  return <>{parts(textOf(id, values), values)}</>;
}

function parts(text: string, values: Readonly<Record<string, unknown>>): ComponentChildren {
  return text.split(/(<(\w+)>.*?<\/\2>|\{\w+\})/g).map((part, i) => {
    if (part === "" || i % 3 === 2) return null; // the captured name of an element
    const tag = /^<(\w+)>(.*)<\/\1>$/.exec(part);
    if (tag) {
      const [, name = "", inner = ""] = tag;
      const wrap = values[name] as (children: ComponentChildren) => ComponentChildren;
      return <Fragment key={i}>{wrap(parts(inner, values))}</Fragment>;
    }
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name === undefined) return part;
    const value = values[name];
    const plain = typeof value === "string" || typeof value === "number" || typeof value === "bigint";
    return <Fragment key={i}>{plain ? written(value) : (value as ComponentChildren)}</Fragment>;
  });
}
