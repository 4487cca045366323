import { useState } from "preact/hooks";
import { Button } from "./button.js";

/** Seed words, numbered, under a veil until asked for. They are in the page only while they are shown. */
export function Words({ text, veil = true }: { text: string; veil?: boolean }) {
  const [shown, show] = useState(!veil);
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
      {veil && (
        <Button small icon={shown ? "hidden" : "eye"} onClick={() => show(!shown)}>
          {shown ? "Hide the words" : "Show the words"}
        </Button>
      )}
    </div>
  );
}
