import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { SelectField, showFirstError } from "../components/field.js";
import { Form } from "../components/form.js";
import { Failed } from "../components/notice.js";
import { Head } from "../components/page.js";
import { SeedCheck, WriteDown } from "../components/seed.js";
import { Segments } from "../components/segments.js";
import { keepBackup } from "../lib/backup.js";
import { useApp, useAsked, useWork } from "../lib/context.js";
import type { EngineWallet } from "../lib/engine.js";
import { freeName, loginProblem, LoginFields, noLogin, type Login } from "./new-wallet.js";
import { t } from "../lib/i18n.js";

interface Props {
  names: readonly string[];
  /** Called when the wallet was created; its words are shown next. */
  onMade(): void;
  onOpen(wallet: EngineWallet): Promise<void>;
  onBack(): void;
}

// The languages of Polyseed and their own names: core/polyseed/languages.
const polyseedLanguages = [
  ["English", "English"],
  ["Japanese", "日本語"],
  ["Korean", "한국어"],
  ["Spanish", "Español"],
  ["French", "Français"],
  ["Italian", "Italiano"],
  ["Czech", "Čeština"],
  ["Portuguese", "Português"],
  ["Chinese (Simplified)", "简体中文"],
  ["Chinese (Traditional)", "繁體中文"],
] as const;

const titles = ["common.createAWallet", "common.writeDownWords", "common.checkWords"] as const;

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
  const options = kind === "words" ? names25 : polyseedLanguages;

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
      <Head title={t(titles[step])} {...(step === 0 ? { onBack } : step === 2 ? { onBack: () => setStep(1) } : {})} />
      <div class="steps" role="img" aria-label={t("create.step", { number: step + 1, all: 3 })}>
        {[0, 1, 2].map((n) => (
          <i key={n} class={n <= step ? "on" : ""} />
        ))}
      </div>
      {step === 0 && (
        <Form busy={work.busy} class="stack" onSubmit={make}>
          <LoginFields value={login} onValue={setLogin} names={names} tried={tried} />
          <details class="more">
            <summary>{t("create.more")}</summary>
            <div class="stack">
              <Segments
                label={t("create.kindOfSeed")}
                value={kind}
                onValue={(k) => {
                  setKind(k);
                  setLanguage("English");
                }}
                options={[
                  ["polyseed", t("create.words16")],
                  ["words", t("create.words25")],
                ]}
              />
              <p class="hint">{kind === "polyseed" ? t("create.polyseedAbout") : t("create.wordsAbout")}</p>
              <SelectField label={t("create.language")} value={language} onValue={setLanguage} options={options} />
            </div>
          </details>
          <Failed error={work.error} />
          <Button look="primary" block type="submit" busy={work.busy}>
            {t("create.make")}
          </Button>
        </Form>
      )}
      {step === 1 && <WriteDown words={words} onDone={() => setStep(2)} />}
      {step === 2 && wallet && (
        <SeedCheck
          words={words}
          action={t("create.open")}
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
