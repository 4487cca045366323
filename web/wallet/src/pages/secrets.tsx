import { useState } from "preact/hooks";
import { Copy, Value } from "../components/address.js";
import { Button, IconButton } from "../components/button.js";
import { Dialog } from "../components/dialog.js";
import { PasswordField } from "../components/field.js";
import { Form } from "../components/form.js";
import { Failed, Notice } from "../components/notice.js";
import { Fact, Facts } from "../components/page.js";
import { PasswordGate } from "../components/secret-gate.js";
import { Words } from "../components/words.js";
import { useOpen, useWork } from "../lib/context.js";
import { failure } from "../lib/errors.js";
import { t } from "../lib/i18n.js";

/** The seed and the keys. They are in the page only while this dialog is open. */
export function Secrets({ onClose }: { onClose(): void }) {
  const { live } = useOpen();
  const [secrets, setSecrets] = useState<
    { seed: string; view: string; spend: string; address: string; height: number } | undefined
  >(undefined);
  const rpc = live.wallet.rpc;
  const ask = async (key_type: string, seed_offset = ""): Promise<string> => {
    try {
      return (await rpc.queryKey({ key_type, seed_offset })).key;
    } catch (e) {
      if (failure(e).kind === "contract" && seed_offset === "") return ""; // this wallet has no seed
      throw e;
    }
  };
  return (
    <Dialog title={t("common.seedAndKeys")} onClose={onClose}>
      {!secrets ? (
        <PasswordGate
          action={t("common.show")}
          onRight={async () => {
            const [seed, view, spend, { address }] = await Promise.all([
              ask("mnemonic"),
              ask("view_key"),
              ask("spend_key"),
              rpc.getAddress(),
            ]);
            setSecrets({ seed, view, spend: /^0*$/.test(spend) ? "" : spend, address, height: live.height });
          }}
        />
      ) : (
        <>
          <Notice tone="warn" title={t("secrets.warningTitle")}>
            {t("secrets.warning")}
          </Notice>
          {secrets.seed && (
            <>
              <h3>{t("common.seedWords")}</h3>
              <Words key={secrets.seed} text={secrets.seed} />
              <Copy text={secrets.seed} what={t("common.seedWords")} secret words />
              <UnderPassphrase
                ask={(passphrase) => ask("mnemonic", passphrase)}
                onWords={(seed) => setSecrets({ ...secrets, seed })}
              />
            </>
          )}
          <Facts>
            <Fact name={t("common.firstAddress")}>
              <Value text={secrets.address} what={t("common.address")} />
            </Fact>
            {secrets.view && (
              <Fact name={t("common.secretViewKey")}>
                <Veiled text={secrets.view} what={t("common.viewKey")} />
                <p class="hint">{t("secrets.viewKeyAbout")}</p>
              </Fact>
            )}
            {secrets.spend && (
              <Fact name={t("common.secretSpendKey")}>
                <Veiled text={secrets.spend} what={t("secrets.spendKey")} />
                <p class="hint">{t("secrets.spendKeyAbout")}</p>
              </Fact>
            )}
          </Facts>
        </>
      )}
    </Dialog>
  );
}

/** Shows the seed words encrypted with a passphrase. */
function UnderPassphrase({ ask, onWords }: { ask(passphrase: string): Promise<string>; onWords(words: string): void }) {
  const [passphrase, setPassphrase] = useState("");
  const [under, setUnder] = useState(false);
  const work = useWork();
  return (
    <details class="more">
      <summary>{t("secrets.encrypt")}</summary>
      <Form
        busy={work.busy}
        class="stack"
        onSubmit={(e) => {
          e.preventDefault();
          void work.run(async () => {
            onWords(await ask(passphrase));
            setUnder(passphrase !== "");
            setPassphrase("");
          });
        }}
      >
        <p class="hint">{t("secrets.encryptAbout")}</p>
        <PasswordField label={t("secrets.passphrase")} value={passphrase} onValue={setPassphrase} />
        <Failed error={work.error} />
        <Button type="submit" busy={work.busy} disabled={passphrase === "" && !under}>
          {passphrase === "" && under ? t("secrets.showPlain") : t("secrets.showEncrypted")}
        </Button>
        {under && <Notice title={t("secrets.encryptedTitle")}>{t("secrets.encryptedAbout")}</Notice>}
      </Form>
    </details>
  );
}

/** A key, hidden until the user asks for it. It is in the page only while it is shown. */
function Veiled({ text, what }: { text: string; what: string }) {
  const [shown, show] = useState(false);
  return (
    <span class="row" style={{ flexWrap: "nowrap", alignItems: "flex-start" }}>
      <span class={`grow mono${shown ? "" : " muted"}`}>{shown ? text : "\u2022".repeat(12)}</span>
      <IconButton
        small
        icon={shown ? "hidden" : "eye"}
        label={shown ? t("common.hideWhat", { what }) : t("common.showWhat", { what })}
        aria-pressed={shown}
        onClick={() => show(!shown)}
      />
      <Copy text={text} what={what} secret />
    </span>
  );
}
