import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { PasswordField, showFirstError, TextField } from "../components/field.js";
import { Failed, Notice } from "../components/notice.js";
import { Head } from "../components/page.js";
import { Segments } from "../components/segments.js";
import { useApp, useWork } from "../lib/context.js";
import type { EngineWallet } from "../lib/engine.js";
import { keepBackup } from "../lib/backup.js";
import { begin, words as read } from "../lib/restore.js";
import { RestoreFile } from "./restore-file.js";
import { freeName, loginProblem, LoginFields, noLogin, type Login } from "./new-wallet.js";

interface Props {
  names: readonly string[];
  onOpen(wallet: EngineWallet): Promise<void>;
  onBack(): void;
}

const key = /^[0-9a-fA-F]{64}$/;

/** Restores a wallet from its seed words, its keys or a saved copy. */
export function Restore({ names, onOpen, onBack }: Props) {
  const [from, setFrom] = useState<"words" | "keys" | "file">("words");
  return (
    <div class="stack">
      <Head title="Restore a wallet" onBack={onBack} />
      <Segments
        label="Restore from"
        value={from}
        onValue={setFrom}
        options={[
          ["words", "Seed words"],
          ["keys", "Keys"],
          ["file", "File"],
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
  const [address, setAddress] = useState("");
  const [view, setView] = useState("");
  const [spend, setSpend] = useState("");
  const [start, setStart] = useState("");
  const [login, setLogin] = useState<Login>({ ...noLogin, name: freeName(names) });
  const [tried, setTried] = useState(false);
  const work = useWork();
  const seed = read(text);
  const where = begin(start);
  const knows = from === "words" && seed.kind === "polyseed";
  const wrong = {
    words: from === "words" && seed.kind === "none" ? `A seed has 25 or 16 words, but you entered ${seed.count}.` : "",
    address: from === "keys" && address.trim() === "" ? "Enter the wallet's first address." : "",
    view: from === "keys" && !key.test(view.trim()) ? "A key has 64 characters, 0 to 9 and a to f." : "",
    spend:
      from === "keys" && spend.trim() !== "" && !key.test(spend.trim())
        ? "A key has 64 characters, 0 to 9 and a to f."
        : "",
    start:
      knows || "height" in where || "date" in where || where.kind === "empty"
        ? ""
        : "Enter a date like 2024-05-31, or a block height.",
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
                ...(passphrase ? { seedOffset: passphrase } : {}),
              });
      await keepBackup(made); // the user has what it was restored from
      for (const forget of [setText, setPassphrase, setView, setSpend]) forget("");
      setLogin(noLogin);
      await onOpen(made);
    });
  };

  return (
    <form class="stack" onSubmit={make}>
      {from === "words" ? (
        <>
          <TextField
            label="Seed words"
            rows={4}
            secret
            value={text}
            onValue={setText}
            placeholder="In order, separated by spaces"
            error={tried && wrong.words ? wrong.words : undefined}
            hint={
              seed.kind === "polyseed"
                ? "16 words: a Polyseed."
                : seed.kind === "words"
                  ? `${seed.count} words.`
                  : seed.count > 0
                    ? `${seed.count} words so far.`
                    : undefined
            }
          />
          <details class="more">
            <summary>The seed has a passphrase</summary>
            <PasswordField label="Passphrase of the seed" value={passphrase} onValue={setPassphrase} />
          </details>
        </>
      ) : (
        <>
          <TextField
            label="First address of the wallet"
            mono
            rows={4}
            value={address}
            onValue={setAddress}
            error={tried && wrong.address ? wrong.address : undefined}
          />
          <TextField
            label="Secret view key"
            mono
            secret
            value={view}
            onValue={setView}
            error={tried && wrong.view ? wrong.view : undefined}
          />
          <TextField
            label="Secret spend key"
            optional
            mono
            secret
            value={spend}
            onValue={setSpend}
            error={tried && wrong.spend ? wrong.spend : undefined}
            hint={
              spend.trim() === ""
                ? "Without it the wallet is view-only: it sees incoming payments, but cannot spend."
                : undefined
            }
          />
        </>
      )}
      {knows ? (
        <Notice>These words include the date of the wallet. Scanning starts there.</Notice>
      ) : (
        <TextField
          label="When was the wallet made?"
          optional
          value={start}
          onValue={setStart}
          placeholder="2024-05-31 or a block height"
          error={tried && wrong.start ? wrong.start : undefined}
          hint={
            wrong.start === "" && "date" in where
              ? "Scanning starts on this day."
              : "Nothing before it is scanned. If you leave it empty, the whole chain is scanned, which takes long."
          }
        />
      )}
      <LoginFields value={login} onValue={setLogin} names={names} tried={tried} />
      <Failed error={work.error} />
      <Button look="primary" block type="submit" busy={work.busy}>
        Restore wallet
      </Button>
    </form>
  );
}
