import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { PasswordField, SelectField } from "../components/field.js";
import { Form } from "../components/form.js";
import { Failed } from "../components/notice.js";
import { useApp, useWork } from "../lib/context.js";
import type { EngineWallet } from "../lib/engine.js";
import { t } from "../lib/i18n.js";
import { Text } from "../components/text.js";

interface Props {
  names: readonly string[];
  onOpen(wallet: EngineWallet): Promise<void>;
  onOther(): void;
}

/** Opens a wallet with its password. */
export function Unlock({ names, onOpen, onOther }: Props) {
  const { engine, settings, nameOf } = useApp();
  const [name, setName] = useState(names.includes(settings.last) ? settings.last : (names[0] ?? ""));
  const [password, setPassword] = useState("");
  const work = useWork();
  const open = (e: Event): void => {
    e.preventDefault();
    void work.run(async () => {
      try {
        await onOpen(await engine.open(name, password));
      } finally {
        setPassword("");
      }
    });
  };
  return (
    <Form busy={work.busy} class="stack" onSubmit={open}>
      <h1>{t("unlock.welcomeBack")}</h1>
      {names.length > 1 ? (
        <SelectField
          label={t("common.wallet")}
          value={name}
          onValue={setName}
          options={names.map((n) => [n, nameOf(n)])}
        />
      ) : (
        <p class="muted">
          <Text id="unlock.wallet" name={<strong>{name}</strong>} />
        </p>
      )}
      <PasswordField
        label={t("common.password")}
        value={password}
        onValue={setPassword}
        failed={work.error}
        autoFocus
      />
      <Failed error={work.error} />
      <Button look="primary" block type="submit" icon="lock" busy={work.busy}>
        {t("common.unlock")}
      </Button>
      <Button look="plain" block onClick={onOther}>
        {t("unlock.another")}
      </Button>
    </Form>
  );
}
