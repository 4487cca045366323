import { useState } from "preact/hooks";
import { useApp, useOpen, useWork } from "../lib/context.js";
import { Button } from "./button.js";
import { PasswordField } from "./field.js";
import { Form } from "./form.js";
import { Failed } from "./notice.js";
import { t } from "../lib/i18n.js";

/** Asks for the wallet's password, and passes it on only if it is right. */
export function PasswordGate({
  action,
  danger = false,
  onRight,
}: {
  action: string;
  danger?: boolean;
  onRight(password: string): Promise<void>;
}) {
  const { engine, demo } = useApp();
  const { live } = useOpen();
  const [password, setPassword] = useState("");
  const work = useWork();
  return (
    <Form
      busy={work.busy}
      class="stack"
      onSubmit={(e) => {
        e.preventDefault();
        void work.run(async () => {
          try {
            // Opening an open wallet again checks the password and returns the same wallet.
            await engine.open(live.wallet.name, password);
            await onRight(password);
          } finally {
            setPassword("");
          }
        });
      }}
    >
      {!demo && ( // whose wallets have no password
        <PasswordField
          label={t("common.walletPassword")}
          value={password}
          onValue={setPassword}
          failed={work.error}
          autoFocus
        />
      )}
      <Failed error={work.error} />
      <Button look={danger ? "danger" : "primary"} type="submit" busy={work.busy}>
        {action}
      </Button>
    </Form>
  );
}
