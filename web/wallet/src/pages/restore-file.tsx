import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { PasswordField, TextField } from "../components/field.js";
import { Form } from "../components/form.js";
import { Failed } from "../components/notice.js";
import { useApp, useWork } from "../lib/context.js";
import type { EngineWallet } from "../lib/engine.js";
import { TooLarge, type Picked } from "../lib/platform.js";
import { freeName, loginProblem } from "./new-wallet.js";
import { t } from "../lib/i18n.js";

/** Largest file to read, in bytes: a wallet with a hundred thousand transactions is smaller. */
const maxBytes = 32 << 20;

/** Restores a wallet from a copy of its file, with everything in it. */
export function RestoreFile({
  names,
  onOpen,
}: {
  names: readonly string[];
  onOpen(wallet: EngineWallet): Promise<void>;
}) {
  const { engine, platform } = useApp();
  const [file, setFile] = useState<Picked | undefined>(undefined);
  const [name, setName] = useState(freeName(names));
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const [large, setLarge] = useState(false);
  const work = useWork();
  const wrong = loginProblem({ name, password, again: password }, names).name;

  const choose = async (): Promise<void> => {
    work.clear();
    setLarge(false);
    try {
      const [picked] = await platform.pick({ accept: ".glim,application/octet-stream", maxBytes });
      if (!picked) return;
      setFile(picked);
      const own = picked.name.replace(/\.glim$/i, "").replace(/-\d{4}-\d\d-\d\d( ?\(\d+\))?$/, "");
      if (loginProblem({ name: own, password: "x", again: "x" }, names).name === "") setName(own);
    } catch (e) {
      if (!(e instanceof TooLarge)) throw e;
      setLarge(true);
    }
  };

  const restore = (e: Event): void => {
    e.preventDefault();
    setTried(true);
    work.clear();
    if (!file || wrong) return;
    void work.run(async () => {
      await engine.importFile(name.trim(), file.bytes);
      let made: EngineWallet;
      try {
        made = await engine.open(name.trim(), password);
      } catch (error) {
        // Without the right password it is of no use here, and the user still has the file.
        await engine.remove(name.trim()).catch(() => undefined);
        throw error;
      } finally {
        setPassword("");
      }
      await onOpen(made);
    });
  };

  return (
    <Form busy={work.busy} class="stack" onSubmit={restore}>
      <p class="muted">{t("restoreFile.about")}</p>
      <div class="field">
        <span class="label">{t("restoreFile.file")}</span>
        <div class="row">
          <Button icon="file" onClick={() => void work.run(choose)}>
            {file ? t("restoreFile.another") : t("restoreFile.choose")}
          </Button>
          {file && <span class="grow small">{file.name}</span>}
        </div>
        {(large || (tried && !file)) && (
          <p class="error-text" role="alert">
            {large ? t("restoreFile.tooLarge") : t("restoreFile.none")}
          </p>
        )}
      </div>
      <TextField
        label={t("common.walletName")}
        value={name}
        onValue={setName}
        error={tried ? wrong || undefined : undefined}
        maxLength={64}
      />
      <PasswordField
        label={t("restoreFile.password")}
        value={password}
        onValue={setPassword}
        failed={work.error}
        hint={t("restoreFile.passwordHint")}
      />
      <Failed error={work.error} />
      <Button look="primary" block type="submit" busy={work.busy}>
        {t("common.restoreWallet")}
      </Button>
    </Form>
  );
}
