import { Fragment } from "preact";
import { useApp } from "../lib/context.js";
import { ends } from "../lib/payee.js";
import { Button, IconButton } from "./button.js";
import { t } from "../lib/i18n.js";

/** A complete address. Both ends, which people compare, are emphasised. */
export function Address({ text }: { text: string }) {
  const [head, middle, tail] = ends(text);
  return (
    <span class="address">
      <b>{head}</b>
      {middle.map((group, i) => (
        <Fragment key={i}>
          {group}
          <wbr />
        </Fragment>
      ))}
      <b>{tail}</b>
    </span>
  );
}

/** A button that copies a text. A secret is removed from the clipboard after a minute. */
export function Copy({
  text,
  what,
  secret = false,
  words = false,
}: {
  text: string;
  what: string;
  secret?: boolean;
  words?: boolean;
}) {
  const { copy } = useApp();
  const act = (): void => void copy(text, what, secret);
  if (words)
    return (
      <Button small icon="copy" onClick={act}>
        {t("common.copy")}
      </Button>
    );
  return <IconButton small icon="copy" label={t("common.copyWhat", { what })} onClick={act} />;
}

/** A value with a copy button. */
export function Value({ text, what, mono = true }: { text: string; what: string; mono?: boolean }) {
  return (
    <span class="row" style={{ flexWrap: "nowrap", alignItems: "flex-start" }}>
      <span class={`grow${mono ? " mono" : ""}`}>{text}</span>
      <Copy text={text} what={what} />
    </span>
  );
}
