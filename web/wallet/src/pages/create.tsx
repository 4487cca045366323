import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { SelectField, showFirstError } from "../components/field.js";
import { Failed } from "../components/notice.js";
import { Head } from "../components/page.js";
import { SeedCheck, WriteDown } from "../components/seed.js";
import { Segments } from "../components/segments.js";
import { keepBackup } from "../lib/backup.js";
import { useApp, useAsked, useWork } from "../lib/context.js";
import type { EngineWallet } from "../lib/engine.js";
import { freeName, loginProblem, LoginFields, noLogin, type Login } from "./new-wallet.js";

interface Props {
  names: readonly string[];
  /** Called when the wallet was created; its words are shown next. */
  onMade(): void;
  onOpen(wallet: EngineWallet): Promise<void>;
  onBack(): void;
}

// The languages of Polyseed: core/polyseed/languages.
const polyseedLanguages = [
  "English",
  "Japanese",
  "Korean",
  "Spanish",
  "French",
  "Italian",
  "Czech",
  "Portuguese",
  "Chinese (Simplified)",
  "Chinese (Traditional)",
];

const titles = ["Create a wallet", "Write down your seed words", "Check your words"] as const;

/** Creates a wallet: name and password, then the seed words, then a check of some of them. */
export function Create({ names, onMade, onOpen, onBack }: Props) {
  const { engine } = useApp();
  const [login, setLogin] = useState<Login>({ ...noLogin, name: freeName(names) });
  const [kind, setKind] = useState<"words" | "polyseed">("polyseed");
  const [language, setLanguage] = useState("English");
  const [tried, setTried] = useState(false);
  const [wallet, setWallet] = useState<EngineWallet | undefined>(undefined);
  const [words, setWords] = useState("");
  const [step, setStep] = useState<0 | 1 | 2>(0);
  const work = useWork();
  const languages = useAsked(() => engine.rpc.getLanguages(), [engine]);
  const known = languages.data ?? { languages: ["English"], languages_local: ["English"] };
  const names25 = known.languages.map((name, i) => [name, known.languages_local[i] ?? name] as const);
  const options = kind === "words" ? names25 : polyseedLanguages.map((l) => [l, l] as const);

  const make = (e: Event): void => {
    e.preventDefault();
    setTried(true);
    work.clear();
    if (Object.values(loginProblem(login, names)).some(Boolean)) {
      showFirstError(e.currentTarget);
      return;
    }
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
                {kind === "polyseed"
                  ? "Shorter, and it includes the date of the wallet, so that restoring is quick."
                  : "The traditional kind, which every Monero wallet supports. Write down today's date with it."}
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
      {step === 1 && <WriteDown words={words} onDone={() => setStep(2)} />}
      {step === 2 && wallet && (
        <SeedCheck
          words={words}
          action="Open the wallet"
          onRight={async () => {
            await keepBackup(wallet);
            setWords("");
            await onOpen(wallet);
          }}
        />
      )}
    </div>
  );
}
