import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { SaveCopy } from "../components/copies.js";
import { Dialog } from "../components/dialog.js";
import { PasswordField, SelectField, TextField } from "../components/field.js";
import { NodeSettings, Result } from "../components/node-settings.js";
import { useHealth } from "../components/node.js";
import { Failed, Notice } from "../components/notice.js";
import { Head, Section } from "../components/page.js";
import { PasswordGate } from "../components/secret-gate.js";
import { Sync } from "../components/sync.js";
import { useApp, useLive, useOpen, useWork } from "../lib/context.js";
import { playing, usesPublic, type Settings } from "../lib/settings.js";

import { Secrets } from "./secrets.js";

type Open = "node" | "copy" | "secrets" | "password" | "remove" | "rescan" | undefined;

/** All settings. */
export function SettingsPage() {
  const { settings, change, platform, storageKept, keepStorage, say } = useApp();
  const { router } = useOpen();
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
              {playing(settings)
                ? "Private chain in this page"
                : usesPublic(settings)
                  ? node.health?.address || "Public nodes"
                  : settings.node || "None"}
            </span>
            <Button small onClick={() => show("node")}>
              Change
            </Button>
          </p>
          {usesPublic(settings) && (
            <p class="muted">
              A public node, chosen from a list.{" "}
              {node.health?.nodes?.second
                ? `${node.health.nodes.second} confirms the end of the chain and the fees.`
                : "No second node confirms what it says."}
            </p>
          )}
          {node.health ? <Result health={node.health} /> : <p class="muted">Checking the node</p>}
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
                ["auto", "Same as device"],
                ["light", "Light"],
                ["dark", "Dark"],
              ]}
            />
            <SelectField
              label="Lock automatically"
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
            label="Scanning workers"
            value={String(settings.workers)}
            onValue={(v) => void change({ workers: Number(v) })}
            options={[["0", "Automatic"], ...["1", "2", "3", "4", "6", "8"].map((n) => [n, n] as const)]}
            hint="More workers scan faster and use more memory. Changing this locks the wallet."
          />
        </div>
      </Section>
      <Section title="Storage">
        <div class="card stack">
          {playing(settings) ? (
            <Notice title="Nothing is stored">Wallets of the private chain end with this page.</Notice>
          ) : storageKept ? (
            <Notice tone="good" title="The browser keeps your wallets">
              They stay until you delete them or the data of this site.
            </Notice>
          ) : (
            <>
              <Notice tone="warn" title="The browser may delete your wallets">
                It does so if storage runs short, or if you have not been here for weeks. Keep the seed words and a copy
                of each wallet. Browsers keep the data of pages that are bookmarked, installed or used often.
              </Notice>
              <Button
                onClick={() =>
                  void keepStorage().then((kept) =>
                    say(kept ? "The browser keeps your wallets" : "The browser refused. Try again after a few visits."),
                  )
                }
              >
                Ask the browser to keep them
              </Button>
            </>
          )}
        </div>
      </Section>
      <Section title={`Wallet ${live.wallet.name}`}>
        <ul class="list">
          {live.backup !== "none" && (
            <Line
              title="Backup of the seed words"
              sub={live.backup === "verified" ? "You have checked that you wrote them down" : "Not verified yet"}
              action={live.backup === "verified" ? "Check again" : "Back up"}
              onAct={() => (platform.layout === "popup" ? platform.expand?.("backup") : router.go("backup"))}
            />
          )}
          <Line
            title="Seed and keys"
            sub="Shown after you enter the password"
            action="Show"
            onAct={() => show("secrets")}
          />
          <Line
            title="Copy of this wallet"
            sub="An encrypted file with everything, also labels, notes and transaction keys"
            action="Save"
            onAct={() => show("copy")}
          />
          <Line
            title="Password"
            sub="Encrypts the wallet in this browser"
            action="Change"
            onAct={() => show("password")}
          />
          <Line
            title="Scan the chain again"
            sub="If something seems to be missing"
            action="Rescan"
            onAct={() => show("rescan")}
          />
          <Line
            title="Remove this wallet"
            sub="From this browser; only the seed words can restore it"
            action="Remove"
            onAct={() => show("remove")}
          />
        </ul>
      </Section>
      {open === "node" && (
        <Dialog title="Node" onClose={close}>
          <NodeSettings onDone={close} />
        </Dialog>
      )}
      {open === "copy" && <SaveCopy onClose={close} />}
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
        <span class="title wrap">{title}</span>
        <span class="sub wrap">{sub}</span>
      </span>
      <Button small aria-label={`${action}: ${title}`} onClick={onAct}>
        {action}
      </Button>
    </li>
  );
}

function ChangePassword({ onClose }: { onClose(): void }) {
  const { live } = useOpen();
  const { say } = useApp();
  const [old, setOld] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const work = useWork();
  const wrong = again !== "" && again !== password ? "The passwords are not the same." : undefined;
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
        <PasswordField label="Current password" value={old} onValue={setOld} failed={work.error} autoFocus />
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
    <Dialog title="Scan the chain again" onClose={onClose}>
      <p>
        The wallet forgets what it found, and scans again from its start. Notes, labels and transaction keys are kept.
        This can take long.
      </p>
      {work.busy && <Sync />}
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
      <Notice tone="bad" title="Without the seed words, the money is lost">
        Only the seed words can restore this wallet. Notes, labels and transaction keys are deleted for good, unless you
        saved a copy.
      </Notice>
      <TextField
        label={`To continue, type the name of the wallet: ${live.wallet.name}`}
        value={name}
        onValue={setName}
      />
      {name === live.wallet.name && <PasswordGate danger action="Remove permanently" onRight={removeOpen} />}
    </Dialog>
  );
}
