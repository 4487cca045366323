import { useState } from "preact/hooks";
import { Copy } from "../components/address.js";
import { Button } from "../components/button.js";
import { Dialog } from "../components/dialog.js";
import { PasswordField, SelectField, TextField } from "../components/field.js";
import { NodeSettings, Result } from "../components/node-settings.js";
import { useHealth } from "../components/node.js";
import { Failed, Notice } from "../components/notice.js";
import { Fact, Facts, Head, Section } from "../components/page.js";
import { PasswordGate } from "../components/secret-gate.js";
import { Words } from "../components/words.js";
import { useApp, useLive, useOpen, useWork } from "../lib/context.js";
import { failure } from "../lib/errors.js";
import { playing, type Settings } from "../lib/settings.js";

type Open = "node" | "secrets" | "password" | "remove" | "rescan" | undefined;

/** Everything that can be chosen. */
export function SettingsPage() {
  const { settings, change } = useApp();
  const live = useLive();
  const [open, show] = useState<Open>(undefined);
  const node = useHealth();
  const close = (): void => show(undefined);
  return (
    <div class="stack loose">
      <Head title="Settings" />
      <Section
        title="Node"
        end={
          <Button small look="plain" onClick={node.again}>
            Check again
          </Button>
        }
      >
        <div class="card stack">
          <p class="row" style={{ flexWrap: "nowrap" }}>
            <span class="grow strong" style={{ overflowWrap: "anywhere" }}>
              {playing(settings) ? "Private chain in this page" : settings.node || "None"}
            </span>
            <Button small onClick={() => show("node")}>
              Change
            </Button>
          </p>
          {node.health ? <Result health={node.health} /> : <p class="muted">Asking the node</p>}
        </div>
      </Section>
      <Section title="This app">
        <div class="card stack">
          <div class="cols">
            <SelectField
              label="Theme"
              value={settings.theme}
              onValue={(v) => void change({ theme: v as Settings["theme"] })}
              options={[
                ["auto", "As the device"],
                ["light", "Light"],
                ["dark", "Dark"],
              ]}
            />
            <SelectField
              label="Lock by itself"
              value={String(settings.autoLock)}
              onValue={(v) => void change({ autoLock: Number(v) })}
              options={[
                ["1", "After 1 minute"],
                ["5", "After 5 minutes"],
                ["10", "After 10 minutes"],
                ["30", "After 30 minutes"],
                ["0", "Never"],
              ]}
            />
          </div>
          <SelectField
            label="Scanner workers"
            value={String(settings.workers)}
            onValue={(v) => void change({ workers: Number(v) })}
            options={[["0", "Chosen for this device"], ...["1", "2", "3", "4", "6", "8"].map((n) => [n, n] as const)]}
            hint="More read the chain faster and take more memory. A change locks the wallet."
          />
        </div>
      </Section>
      <Section title={`Wallet ${live.wallet.name}`}>
        <ul class="list">
          <Line title="Seed and keys" sub="Shown only behind the password" action="Show" onAct={() => show("secrets")} />
          <Line title="Password" sub="Encrypts the wallet in this browser" action="Change" onAct={() => show("password")} />
          <Line title="Read the chain again" sub="When something seems to be missing" action="Rescan" onAct={() => show("rescan")} />
          <Line title="Remove this wallet" sub="From this browser; the seed words bring it back" action="Remove" onAct={() => show("remove")} />
        </ul>
      </Section>
      {open === "node" && (
        <Dialog title="Node" onClose={close}>
          <NodeSettings onDone={close} />
        </Dialog>
      )}
      {open === "secrets" && <Secrets onClose={close} />}
      {open === "password" && <ChangePassword onClose={close} />}
      {open === "rescan" && <Rescan onClose={close} />}
      {open === "remove" && <Remove onClose={close} />}
    </div>
  );
}

function Line({ title, sub, action, onAct }: { title: string; sub: string; action: string; onAct(): void }) {
  return (
    <li class="item">
      <span class="grow">
        <span class="title">{title}</span>
        <span class="sub wrap">{sub}</span>
      </span>
      <Button small aria-label={`${action}: ${title}`} onClick={onAct}>
        {action}
      </Button>
    </li>
  );
}

/** The seed and the keys. They are in the page only while this is open. */
function Secrets({ onClose }: { onClose(): void }) {
  const { live } = useOpen();
  const [secrets, setSecrets] = useState<{ seed: string; view: string; spend: string; address: string; height: number } | undefined>(undefined);
  const rpc = live.wallet.rpc;
  const ask = async (key_type: string, seed_offset = ""): Promise<string> => {
    try {
      return (await rpc.queryKey({ key_type, seed_offset })).key;
    } catch (e) {
      if (failure(e).kind === "contract" && seed_offset === "") return ""; // this wallet has none
      throw e;
    }
  };
  return (
    <Dialog title="Seed and keys" onClose={onClose}>
      {!secrets ? (
        <PasswordGate
          action="Show"
          onRight={async () => {
            const [seed, view, spend, { address }] = await Promise.all([ask("mnemonic"), ask("view_key"), ask("spend_key"), rpc.getAddress()]);
            setSecrets({ seed, view, spend: /^0*$/.test(spend) ? "" : spend, address, height: live.height });
          }}
        />
      ) : (
        <>
          <Notice tone="warn" title="Who sees these can take the money">
            Nobody who helps you ever needs them.
          </Notice>
          {secrets.seed && (
            <>
              <h3>Seed words</h3>
              <Words key={secrets.seed} text={secrets.seed} />
              <Copy text={secrets.seed} what="Seed words" secret words />
              <UnderPassphrase ask={(passphrase) => ask("mnemonic", passphrase)} onWords={(seed) => setSecrets({ ...secrets, seed })} />
            </>
          )}
          <Facts>
            <Fact name="First address">
              <Row text={secrets.address} what="Address" />
            </Fact>
            {secrets.view && (
              <Fact name="Secret view key">
                <Row text={secrets.view} what="View key" secret />
                <p class="hint">Sees everything that comes, and can spend nothing.</p>
              </Fact>
            )}
            {secrets.spend && (
              <Fact name="Secret spend key">
                <Row text={secrets.spend} what="Spend key" secret />
              </Fact>
            )}
          </Facts>
        </>
      )}
    </Dialog>
  );
}

/** Shows the words anew, such as give this wallet together with a passphrase. */
function UnderPassphrase({ ask, onWords }: { ask(passphrase: string): Promise<string>; onWords(words: string): void }) {
  const [passphrase, setPassphrase] = useState("");
  const [under, setUnder] = useState(false);
  const work = useWork();
  return (
    <details class="more">
      <summary>Words with a passphrase</summary>
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
        <p class="hint">Other words, which bring this wallet back only together with the passphrase. With a wrong one they are another, empty wallet: nothing tells.</p>
        <PasswordField label="Passphrase over the words" value={passphrase} onValue={setPassphrase} />
        <Failed error={work.error} />
        <Button type="submit" busy={work.busy} disabled={passphrase === "" && !under}>
          {passphrase === "" && under ? "Show the words without it" : "Make these words"}
        </Button>
        {under && <Notice title="The words above need the passphrase">Keep it apart from them.</Notice>}
      </form>
    </details>
  );
}

function Row({ text, what, secret = false }: { text: string; what: string; secret?: boolean }) {
  return (
    <span class="row" style={{ flexWrap: "nowrap", alignItems: "flex-start" }}>
      <span class="grow mono">{text}</span>
      <Copy text={text} what={what} secret={secret} />
    </span>
  );
}

function ChangePassword({ onClose }: { onClose(): void }) {
  const { live } = useOpen();
  const { say } = useApp();
  const [old, setOld] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const work = useWork();
  const wrong = again !== "" && again !== password ? "The two are not the same." : undefined;
  return (
    <Dialog title="Change the password" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(e) => {
          e.preventDefault();
          void work.run(async () => {
            await live.wallet.rpc.changeWalletPassword({ old_password: old, new_password: password });
            say("Password changed");
            onClose();
          });
        }}
      >
        <PasswordField label="Password until now" value={old} onValue={setOld} autoFocus />
        <PasswordField label="New password" purpose="new" value={password} onValue={setPassword} />
        <PasswordField label="New password again" purpose="new" value={again} onValue={setAgain} error={wrong} />
        <Failed error={work.error} />
        <Button look="primary" type="submit" busy={work.busy} disabled={password === "" || password !== again}>
          Change password
        </Button>
      </form>
    </Dialog>
  );
}

function Rescan({ onClose }: { onClose(): void }) {
  const { live } = useOpen();
  const work = useWork();
  return (
    <Dialog title="Read the chain again" onClose={onClose}>
      <p>The wallet forgets what it found and reads from its beginning. Notes, labels and transaction keys stay. It can take long.</p>
      <Failed error={work.error} />
      <Button
        look="primary"
        busy={work.busy}
        onClick={() =>
          void work.run(async () => {
            await live.wallet.rpc.rescanBlockchain({ hard: false });
            live.touch();
            onClose();
          })
        }
      >
        Rescan
      </Button>
    </Dialog>
  );
}

function Remove({ onClose }: { onClose(): void }) {
  const { removeOpen } = useApp();
  const { live } = useOpen();
  const [name, setName] = useState("");
  return (
    <Dialog title="Remove this wallet" onClose={onClose}>
      <Notice tone="bad" title="Without its seed words its money is lost">
        They are the only way back. Notes, labels and the keys of transactions go for good.
      </Notice>
      <TextField label={`To go on, type its name: ${live.wallet.name}`} value={name} onValue={setName} />
      {name === live.wallet.name && (
        <PasswordGate
          danger
          action="Remove for good"
          onRight={removeOpen}
        />
      )}
    </Dialog>
  );
}
