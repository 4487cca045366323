import { useEffect, useMemo, useState } from "preact/hooks";
import { useWork } from "../lib/context.js";
import { asked } from "../lib/seed-check.js";
import { Copy } from "./address.js";
import { Button } from "./button.js";
import { Check, TextField } from "./field.js";
import { Failed, Notice } from "./notice.js";
import { Words } from "./words.js";
import { t } from "../lib/i18n.js";

/** Shows the seed words for the user to write them down. Only words that were shown can have been written down. */
export function WriteDown({ words, onDone }: { words: string; onDone(): void }) {
  const [seen, see] = useState(false);
  const [written, setWritten] = useState(false);
  return (
    <div class="stack">
      <p>{t("seed.about", { count: words.split(/\s+/).length })}</p>
      <Words text={words} onShown={() => see(true)} />
      <Notice tone="warn" title={t("seed.paperTitle")}>
        {t("seed.paper")}
      </Notice>
      <div class="row between">
        <Check checked={written} disabled={!seen} onChecked={setWritten}>
          {t("seed.written")}
        </Check>
        <Copy text={words} what={t("common.seedWords")} secret words />
      </div>
      <Button look="primary" block disabled={!written} onClick={onDone}>
        {t("common.continue")}
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
      <p class="muted">{t("seed.typeThem")}</p>
      {places.map((p, i) => (
        <TextField
          key={p}
          label={t("seed.word", { number: p + 1 })}
          value={answers[i] ?? ""}
          secret
          autoFocus={i === 0}
          error={tried && !right[i] ? t("seed.wrongWord") : undefined}
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
