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
                <span class="title">Message {i + 1}</span>
                <span class="sub mono">{m.slice(0, 28)}…</span>
              </span>
              <IconButton
                small
                icon="trash"
                label={`Remove message ${i + 1}`}
                onClick={() => onList(list.filter((_, k) => k !== i))}
              />
            </li>
          ))}
        </ol>
      )}
      <p class="hint" role="status">
        {list.length} of {want}
      </p>
      <TakeIn
        kind="M"
        pasteable
        disabled={list.length >= want}
        onData={(data) => {
          const texts = new TextDecoder().decode(data).split(/\s+/).filter(Boolean);
          if (texts.some((t) => t === own)) throw new Error("this is your own message");
          if (texts.some((t) => list.includes(t))) throw new Error("this message has already been added");
          onList([...list, ...texts].slice(0, want));
        }}
      />
    </div>
  );
}
