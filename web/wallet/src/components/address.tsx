import { useApp } from "../lib/context.js";
import { ends } from "../lib/payee.js";
import { Button, IconButton } from "./button.js";

/** An address in full. Both ends, which people compare, stand out. */
export function Address({ text }: { text: string }) {
  const [head, middle, tail] = ends(text);
  return (
    <span class="address">
      <b>{head}</b>
      {middle}
      <b>{tail}</b>
    </span>
  );
}

/** Copies a text. A secret leaves the clipboard after a minute. */
export function Copy({ text, what, secret = false, words = false }: { text: string; what: string; secret?: boolean; words?: boolean }) {
  const { copy } = useApp();
  const act = (): void => void copy(text, what, secret);
  if (words)
    return (
      <Button small icon="copy" onClick={act}>
        Copy
      </Button>
    );
  return <IconButton small icon="copy" label={`Copy ${what.charAt(0).toLowerCase()}${what.slice(1)}`} onClick={act} />;
}

/** A value with its copy button. */
export function Value({ text, what, mono = true }: { text: string; what: string; mono?: boolean }) {
  return (
    <span class="row" style={{ flexWrap: "nowrap", alignItems: "flex-start" }}>
      <span class={`grow${mono ? " mono" : ""}`}>{text}</span>
      <Copy text={text} what={what} />
    </span>
  );
}
