import { useState } from "preact/hooks";
import { Button } from "./button.js";
import { t } from "../lib/i18n.js";

/** Numbered seed words, hidden until the user asks for them. They are in the page only while they are shown. */
export function Words({ text, onShown }: { text: string; onShown?: () => void }) {
  const [shown, show] = useState(false);
  const words = text.trim().split(/\s+/);
  return (
    <div class="stack tight">
      <ol class={`words${shown ? "" : " veiled"}`} aria-hidden={!shown}>
        {words.map((word, i) => (
          <li key={i}>
            <span>{i + 1}</span>
            {shown ? word : "\u2022\u2022\u2022\u2022\u2022\u2022"}
          </li>
        ))}
      </ol>
      <Button
        small
        icon={shown ? "hidden" : "eye"}
        onClick={() => {
          show(!shown);
          if (!shown) onShown?.();
        }}
      >
        {shown ? t("words.hide") : t("words.show")}
      </Button>
    </div>
  );
}
