import { useEffect, useMemo, useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { Copy } from "../components/address.js";
import { Check, SelectField, TextField } from "../components/field.js";
import { Failed, Notice } from "../components/notice.js";
import { Head } from "../components/page.js";
import { Segments } from "../components/segments.js";
import { Words } from "../components/words.js";
import { useApp, useAsked, useWork } from "../lib/context.js";
import type { EngineWallet } from "../lib/engine.js";
import { asked } from "../lib/seed-check.js";
import { freeName, loginProblem, LoginFields, noLogin, type Login } from "./new-wallet.js";

interface Props {
  names: readonly string[];
  /** There is a wallet now; its words are shown next. */
  onMade(): void;
  onOpen(wallet: EngineWallet): Promise<void>;
  onBack(): void;
}

// The languages sixteen words exist in: core/polyseed/languages.
const polyseedLanguages = ["English", "Japanese", "Korean", "Spanish", "French", "Italian", "Czech", "Portuguese", "Chinese (Simplified)", "Chinese (Traditional)"];

const titles = ["Create a wallet", "Write down your seed words", "Check your words"] as const;

/** Makes a wallet: name and password, then its words, then some of them asked back. */
export function Create({ names, onMade, onOpen, onBack }: Props) {
  const { engine } = useApp();
  const [login, setLogin] = useState<Login>({ ...noLogin, name: freeName(names) });
  const [kind, setKind] = useState<"words" | "polyseed">("polyseed");
  const [language, setLanguage] = useState("English");
  const [tried, setTried] = useState(false);
  const [wallet, setWallet] = useState<EngineWallet | undefined>(undefined);
  const [words, setWords] = useState("");
  const [written, setWritten] = useState(false);
  const [step, setStep] = useState<0 | 1 | 2>(0);
  const work = useWork();
  const languages = useAsked(() => engine.rpc.getLanguages(), [engine]);
  const known = languages.data ?? { languages: ["English"], languages_local: ["English"] };
  const names25 = known.languages.map((name, i) => [name, known.languages_local[i] ?? name] as const);
  const options = kind === "words" ? names25 : polyseedLanguages.map((l) => [l, l] as const);

  const make = (e: Event): void => {
    e.preventDefault();
    setTried(true);
    if (Object.values(loginProblem(login, names)).some(Boolean)) return;
    void work.run(async () => {
      const made = await engine.create({ name: login.name.trim(), password: login.password, language, kind });
      onMade();
      setLogin(noLogin);
      setWallet(made);
      setWords((await made.rpc.queryKey({ key_type: "mnemonic" })).key);
      setStep(1);
    });
  };

  return (
    <div class="stack">
      <Head title={titles[step]} {...(step === 0 ? { onBack } : step === 2 ? { onBack: () => setStep(1) } : {})} />
      <div class="steps" role="img" aria-label={`Step ${step + 1} of 3`}>
        {[0, 1, 2].map((n) => (
          <i key={n} class={n <= step ? "on" : ""} />
        ))}
      </div>
      {step === 0 && (
        <form class="stack" onSubmit={make}>
          <LoginFields value={login} onValue={setLogin} names={names} tried={tried} />
          <details class="more">
            <summary>Kind of seed and its language</summary>
            <div class="stack">
              <Segments
                label="Kind of seed"
                value={kind}
                onValue={(k) => {
                  setKind(k);
                  setLanguage("English");
                }}
                options={[
                  ["polyseed", "16 words (Polyseed)"],
                  ["words", "25 words"],
                ]}
              />
              <p class="hint">
                {kind === "polyseed" ? "Shorter, and it remembers when the wallet was made, so that restoring is quick." : "The older kind, which every Monero wallet understands. Note the date beside it."}
              </p>
              <SelectField label="Language of the words" value={language} onValue={setLanguage} options={options} />
            </div>
          </details>
          <Failed error={work.error} />
          <Button look="primary" block type="submit" busy={work.busy}>
            Create wallet
          </Button>
        </form>
      )}
      {step === 1 && (
        <div class="stack">
          <p>These {words.split(/\s+/).length} words are your money. Whoever has them can spend it; without them nobody can restore it.</p>
          <Words text={words} />
          <Notice tone="warn" title="On paper, not in a photo or a file">
            Write them down in this order, and keep them where only you can find them.
          </Notice>
          <div class="row between">
            <Check checked={written} onChecked={setWritten}>
              I have written them down
            </Check>
            <Copy text={words} what="Seed words" secret words />
          </div>
          <Button look="primary" block disabled={!written} onClick={() => setStep(2)}>
            Continue
          </Button>
        </div>
      )}
      {step === 2 && wallet && (
        <SeedCheck
          words={words}
          onRight={async () => {
            setWords("");
            await onOpen(wallet);
          }}
        />
      )}
    </div>
  );
}

/** Returns a word as it is compared: however it was typed. */
function plainWord(text: string): string {
  return text.trim().normalize("NFKD").toLowerCase();
}

/** Asks some of the words back. */
function SeedCheck({ words, onRight }: { words: string; onRight(): Promise<void> }) {
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
      <p class="muted">Look at your paper, and type these words.</p>
      {places.map((p, i) => (
        <TextField
          key={p}
          label={`Word ${p + 1}`}
          value={answers[i] ?? ""}
          secret
          autoFocus={i === 0}
          error={tried && !right[i] ? "That is not this word. Look at your paper again." : undefined}
          onValue={(v) => setAnswers(answers.map((a, k) => (k === i ? v : a)))}
        />
      ))}
      <Failed error={work.error} />
      <Button look="primary" block type="submit" busy={work.busy} disabled={answers.some((a) => a.trim() === "")}>
        Open the wallet
      </Button>
    </form>
  );
}
