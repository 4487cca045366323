import { useState } from "preact/hooks";
import { Copy, Value } from "../components/address.js";
import { Button, IconButton } from "../components/button.js";
import { Dialog } from "../components/dialog.js";
import { PasswordField } from "../components/field.js";
import { Failed, Notice } from "../components/notice.js";
import { Fact, Facts } from "../components/page.js";
import { PasswordGate } from "../components/secret-gate.js";
import { Words } from "../components/words.js";
import { useOpen, useWork } from "../lib/context.js";
import { failure } from "../lib/errors.js";

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
    <Dialog title="Seed and keys" onClose={onClose}>
      {!secrets ? (
        <PasswordGate
          action="Show"
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
          <Notice tone="warn" title="Anyone who sees these can take your money">
            Never show them to anyone, not even to someone who offers help.
          </Notice>
          {secrets.seed && (
            <>
              <h3>Seed words</h3>
              <Words key={secrets.seed} text={secrets.seed} />
              <Copy text={secrets.seed} what="Seed words" secret words />
              <UnderPassphrase
                ask={(passphrase) => ask("mnemonic", passphrase)}
                onWords={(seed) => setSecrets({ ...secrets, seed })}
              />
            </>
          )}
          <Facts>
            <Fact name="First address">
              <Value text={secrets.address} what="Address" />
            </Fact>
            {secrets.view && (
              <Fact name="Secret view key">
                <Veiled text={secrets.view} what="View key" />
                <p class="hint">It shows all incoming payments, but cannot spend.</p>
              </Fact>
            )}
            {secrets.spend && (
              <Fact name="Secret spend key">
                <Veiled text={secrets.spend} what="Spend key" />
                <p class="hint">It spends the money, like the seed words.</p>
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
      <summary>Encrypt the words with a passphrase</summary>
      <form
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
        <p class="hint">
          These are different words, which restore this wallet only together with the passphrase. A wrong passphrase
          gives another, empty wallet, without any warning.
        </p>
        <PasswordField label="Passphrase for the words" value={passphrase} onValue={setPassphrase} />
        <Failed error={work.error} />
        <Button type="submit" busy={work.busy} disabled={passphrase === "" && !under}>
          {passphrase === "" && under ? "Show the words without a passphrase" : "Show encrypted words"}
        </Button>
        {under && (
          <Notice title="The words above need the passphrase">Keep it in a different place from the words.</Notice>
        )}
      </form>
    </details>
  );
}

/** A key, hidden until the user asks for it. It is in the page only while it is shown. */
function Veiled({ text, what }: { text: string; what: string }) {
  const [shown, show] = useState(false);
  const name = `${what.charAt(0).toLowerCase()}${what.slice(1)}`;
  return (
    <span class="row" style={{ flexWrap: "nowrap", alignItems: "flex-start" }}>
      <span class={`grow mono${shown ? "" : " muted"}`}>{shown ? text : "\u2022".repeat(12)}</span>
      <IconButton
        small
        icon={shown ? "hidden" : "eye"}
        label={shown ? `Hide ${name}` : `Show ${name}`}
        aria-pressed={shown}
        onClick={() => show(!shown)}
      />
      <Copy text={text} what={what} secret />
    </span>
  );
}
