import { Told } from "../lib/errors.js";
import { t } from "../lib/i18n.js";
import { IconButton } from "./button.js";
import { TakeIn } from "./transport.js";

interface Props {
  list: readonly string[];
  /** Number of messages needed. */
  want: number;
  /** This signer's own message, which must not be entered as another's. */
  own: string;
  onList(list: readonly string[]): void;
}

/** Collects the other signers' messages, one from each. */
export function Messages({ list, want, own, onList }: Props) {
  return (
    <div class="stack tight">
      {list.length > 0 && (
        <ol class="list">
          {list.map((m, i) => (
            <li key={m} class="item">
              <span class="grow">
                <span class="title">{t("messages.message", { number: i + 1 })}</span>
                <span class="sub mono">{m.slice(0, 28)}…</span>
              </span>
              <IconButton
                small
                icon="trash"
                label={t("messages.remove", { number: i + 1 })}
                onClick={() => onList(list.filter((_, k) => k !== i))}
              />
            </li>
          ))}
        </ol>
      )}
      <p class="hint" role="status">
        {t("common.someOf", { some: list.length, all: want })}
      </p>
      <TakeIn
        kind="M"
        pasteable
        disabled={list.length >= want}
        onData={(data) => {
          const texts = new TextDecoder().decode(data).split(/\s+/).filter(Boolean);
          if (texts.some((t) => t === own)) throw new Told(t("messages.own"));
          if (texts.some((t) => list.includes(t))) throw new Told(t("messages.twice"));
          onList([...list, ...texts].slice(0, want));
        }}
      />
    </div>
  );
}
