import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { PasswordField, SelectField, showFirstError, TextField } from "../components/field.js";
import { Form } from "../components/form.js";
import { Failed, Notice } from "../components/notice.js";
import { Head } from "../components/page.js";
import { Segments } from "../components/segments.js";
import { useApp, useWork } from "../lib/context.js";
import type { EngineWallet } from "../lib/engine.js";
import { keepBackup } from "../lib/backup.js";
import { account as readAccount, begin, words as read, type Maker } from "../lib/restore.js";
import { RestoreFile } from "./restore-file.js";
import { freeName, loginProblem, LoginFields, noLogin, type Login } from "./new-wallet.js";
import { t } from "../lib/i18n.js";

interface Props {
  names: readonly string[];
  onOpen(wallet: EngineWallet): Promise<void>;
  onBack(): void;
}

const key = /^[0-9a-fA-F]{64}$/;

/** Returns the name of the wallets that make a kind of seed. */
function makerName(maker: Maker): string {
  switch (maker) {
    case "monero":
      return t("restore.moneroWallet");
    case "mymonero":
      return "MyMonero";
    case "trezor":
      return "Trezor";
    case "ledger":
      return "Ledger, Keystone";
  }
}

/** Restores a wallet from its seed words, its keys or a saved copy. */
export function Restore({ names, onOpen, onBack }: Props) {
  const [from, setFrom] = useState<"words" | "keys" | "file">("words");
  return (
    <div class="stack">
      <Head title={t("common.restoreAWallet")} onBack={onBack} />
      <Segments
        label={t("restore.from")}
        value={from}
        onValue={setFrom}
        options={[
          ["words", t("common.seedWords")],
          ["keys", t("restore.keys")],
          ["file", t("common.file")],
        ]}
      />
      {from === "file" ? (
        <RestoreFile names={names} onOpen={onOpen} />
      ) : (
        <RestoreSecrets key={from} from={from} names={names} onOpen={onOpen} />
      )}
    </div>
  );
}

function RestoreSecrets({ from, names, onOpen }: Omit<Props, "onBack"> & { from: "words" | "keys" }) {
  const { engine } = useApp();
  const [text, setText] = useState("");
  const [passphrase, setPassphrase] = useState("");
  const [chosen, setChosen] = useState<Maker | "">("");
  const [account, setAccount] = useState("");
  const [address, setAddress] = useState("");
  const [view, setView] = useState("");
  const [spend, setSpend] = useState("");
  const [start, setStart] = useState("");
  const [login, setLogin] = useState<Login>({ ...noLogin, name: freeName(names) });
  const [tried, setTried] = useState(false);
  const work = useWork();
  const seed = read(text);
  const makers = from === "words" && seed.kind === "words" ? seed.makers : [];
  const maker = makers.length === 1 ? makers[0] : makers.find((m) => m === chosen);
  const hardware = maker === "trezor" || maker === "ledger";
  const where = begin(start);
  const knows = from === "words" && seed.kind === "polyseed";
  const wrong = {
    words: from === "words" && seed.kind === "none" ? t("restore.wrongCount", { count: seed.count }) : "",
    maker: makers.length > 0 && !maker ? t("restore.noMaker") : "",
    account: hardware && readAccount(account) === undefined ? t("restore.wrongAccount") : "",
    address: from === "keys" && address.trim() === "" ? t("restore.noAddress") : "",
    view: from === "keys" && !key.test(view.trim()) ? t("restore.wrongKey") : "",
    spend: from === "keys" && spend.trim() !== "" && !key.test(spend.trim()) ? t("restore.wrongKey") : "",
    start: knows || "height" in where || "date" in where || where.kind === "empty" ? "" : t("restore.wrongStart"),
  };

  const make = (e: Event): void => {
    e.preventDefault();
    setTried(true);
    work.clear(); // what went wrong before may not be wrong any more
    if ([...Object.values(wrong), ...Object.values(loginProblem(login, names))].some(Boolean)) {
      showFirstError(e.currentTarget);
      return;
    }
    void work.run(async () => {
      const common = { name: login.name.trim(), password: login.password };
      const at = knows
        ? {}
        : "height" in where
          ? { height: where.height }
          : "date" in where
            ? { date: where.date }
            : {};
      const made =
        from === "keys"
          ? await engine.restore({
              ...common,
              ...at,
              address: address.trim(),
              viewKey: view.trim(),
              ...(spend.trim() ? { spendKey: spend.trim() } : {}),
            })
          : seed.kind === "polyseed"
            ? await engine.restore({ ...common, polyseed: seed.text, ...(passphrase ? { passphrase } : {}) })
            : await engine.restore({
                ...common,
                ...at,
                words: seed.kind === "words" ? seed.text : "",
                ...(passphrase && maker !== "mymonero" ? { seedOffset: passphrase } : {}),
                // Words that only Monero wallets make need no type; those of a multisig wallet accept none.
                ...(maker && (maker !== "monero" || makers.length > 1) ? { type: maker } : {}),
                ...(hardware ? { account: readAccount(account) ?? 0 } : {}),
              });
      await keepBackup(made); // the user has what it was restored from
      for (const forget of [setText, setPassphrase, setView, setSpend]) forget("");
      setLogin(noLogin);
      await onOpen(made);
    });
  };

  return (
    <Form busy={work.busy} class="stack" onSubmit={make}>
      {from === "words" ? (
        <>
          <TextField
            label={t("common.seedWords")}
            rows={4}
            secret
            value={text}
            onValue={setText}
            placeholder={t("restore.wordsPlaceholder")}
            error={tried && wrong.words ? wrong.words : undefined}
            hint={
              seed.kind === "polyseed"
                ? t("restore.polyseed")
                : maker === "mymonero"
                  ? t("restore.myMonero")
                  : seed.kind === "words"
                    ? t("restore.words", { count: seed.count })
                    : seed.count > 0
                      ? t("restore.wordsSoFar", { count: seed.count })
                      : undefined
            }
          />
          {makers.length > 1 && (
            <SelectField
              label={t("restore.maker")}
              value={maker ?? ""}
              onValue={(m) => setChosen(makers.find((known) => known === m) ?? "")}
              options={[["", t("restore.chooseMaker")], ...makers.map((m): [string, string] => [m, makerName(m)])]}
              error={tried && wrong.maker ? wrong.maker : undefined}
              hint={t("restore.makerHint")}
            />
          )}
          {hardware && (
            <TextField
              label={t("restore.account")}
              optional
              value={account}
              onValue={setAccount}
              error={tried && wrong.account ? wrong.account : undefined}
              hint={t("restore.accountHint")}
            />
          )}
          {maker !== "mymonero" && (
            <details class="more">
              <summary>{t("restore.hasPassphrase")}</summary>
              <PasswordField label={t("restore.passphrase")} value={passphrase} onValue={setPassphrase} />
            </details>
          )}
        </>
      ) : (
        <>
          <TextField
            label={t("common.firstAddressWallet")}
            mono
            rows={4}
            value={address}
            onValue={setAddress}
            error={tried && wrong.address ? wrong.address : undefined}
          />
          <TextField
            label={t("common.secretViewKey")}
            mono
            secret
            value={view}
            onValue={setView}
            error={tried && wrong.view ? wrong.view : undefined}
          />
          <TextField
            label={t("common.secretSpendKey")}
            optional
            mono
            secret
            value={spend}
            onValue={setSpend}
            error={tried && wrong.spend ? wrong.spend : undefined}
            hint={spend.trim() === "" ? t("restore.viewOnlyHint") : undefined}
          />
        </>
      )}
      {knows ? (
        <Notice>{t("restore.includesDate")}</Notice>
      ) : (
        <TextField
          label={t("restore.start")}
          optional
          value={start}
          onValue={setStart}
          placeholder={t("restore.dateOrHeight")}
          error={tried && wrong.start ? wrong.start : undefined}
          hint={wrong.start === "" && "date" in where ? t("restore.startsThen") : t("restore.startHint")}
        />
      )}
      <LoginFields value={login} onValue={setLogin} names={names} tried={tried} />
      <Failed error={work.error} />
      <Button look="primary" block type="submit" busy={work.busy}>
        {t("common.restoreWallet")}
      </Button>
    </Form>
  );
}
