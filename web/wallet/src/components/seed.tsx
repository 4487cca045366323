import { useEffect, useMemo, useState } from "preact/hooks";
import { useWork } from "../lib/context.js";
import { asked } from "../lib/seed-check.js";
import { Copy } from "./address.js";
import { Button } from "./button.js";
import { Check, TextField } from "./field.js";
import { Failed, Notice } from "./notice.js";
import { Words } from "./words.js";

/** Shows the seed words for the user to write them down. Only words that were shown can have been written down. */
export function WriteDown({ words, onDone }: { words: string; onDone(): void }) {
  const [seen, see] = useState(false);
  const [written, setWritten] = useState(false);
  return (
    <div class="stack">
      <p>
        These {words.split(/\s+/).length} words are your money. Anyone who has them can spend it. Without them, nobody
        can restore it.
      </p>
      <Words text={words} onShown={() => see(true)} />
      <Notice tone="warn" title="Use paper, not a photo or a file">
        Write the words down in this order, and keep them where only you can find them.
      </Notice>
      <div class="row between">
        <Check checked={written} disabled={!seen} onChecked={setWritten}>
          I have written them down
        </Check>
        <Copy text={words} what="Seed words" secret words />
      </div>
      <Button look="primary" block disabled={!written} onClick={onDone}>
        Continue
      </Button>
    </div>
  );
}

/** Normalises a word for comparison. */
function plainWord(text: string): string {
  return text.trim().normalize("NFKD").toLowerCase();
}

/** Asks for some of the words. */
export function SeedCheck({ words, action, onRight }: { words: string; action: string; onRight(): Promise<void> }) {
  const list = useMemo(() => words.trim().split(/\s+/), [words]);
  const places = useMemo(() => asked(list.length, 3), [list]);
  const [answers, setAnswers] = useState<readonly string[]>(places.map(() => ""));
  const [tried, setTried] = useState(false);
  const work = useWork();
  const right = places.map((p, i) => plainWord(answers[i] ?? "") === plainWord(list[p] ?? ""));
  useEffect(() => setTried(false), [answers]);
  return (
    <form
      class="stack"
      onSubmit={(e) => {
        e.preventDefault();
        setTried(true);
        if (right.every(Boolean)) void work.run(onRight);
      }}
    >
      <p class="muted">Type these words from your paper.</p>
      {places.map((p, i) => (
        <TextField
          key={p}
          label={`Word ${p + 1}`}
          value={answers[i] ?? ""}
          secret
          autoFocus={i === 0}
          error={tried && !right[i] ? "This is not the right word. Look at your paper again." : undefined}
          onValue={(v) => setAnswers(answers.map((a, k) => (k === i ? v : a)))}
        />
      ))}
      <Failed error={work.error} />
      <Button look="primary" block type="submit" busy={work.busy} disabled={answers.some((a) => a.trim() === "")}>
        {action}
      </Button>
    </form>
  );
}
