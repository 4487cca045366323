import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { SaveCopy } from "../components/copies.js";
import { Dialog } from "../components/dialog.js";
import { PasswordField, SelectField, TextField } from "../components/field.js";
import { Form } from "../components/form.js";
import { LanguageField } from "../components/language.js";
import { NameSettings } from "../components/name-settings.js";
import { NodeSettings, Result } from "../components/node-settings.js";
import { useHealth } from "../components/node.js";
import { RateSettings } from "../components/rate-settings.js";
import { NoticeSettings } from "../components/notice-settings.js";
import { Failed, Notice } from "../components/notice.js";
import { Head, Section } from "../components/page.js";
import { PasswordGate } from "../components/secret-gate.js";
import { Rename } from "../components/switcher.js";
import { Sync } from "../components/sync.js";
import { useApp, useLive, useOpen, useWork } from "../lib/context.js";
import type { Desktop } from "../lib/platform.js";
import { playing, sendingNode, usesPublic, type Settings } from "../lib/settings.js";

import { Secrets } from "./secrets.js";
import { number, t, withUnit } from "../lib/i18n.js";

type Open = "name" | "node" | "copy" | "secrets" | "password" | "remove" | "rescan" | undefined;

/** All settings. */
export function SettingsPage() {
  const { settings, change, platform, storageKept, keepStorage, say, demo, nameOf } = useApp();
  const { router } = useOpen();
  const live = useLive();
  const [open, show] = useState<Open>(undefined);
  const node = useHealth();
  const close = (): void => show(undefined);
  return (
    <div class="stack loose">
      <Head title={t("common.settings")} />
      <Section
        title={t("common.node")}
        end={
          <Button small look="plain" onClick={node.again}>
            {t("settings.checkAgain")}
          </Button>
        }
      >
        <div class="card stack">
          <p class="row" style={{ flexWrap: "nowrap" }}>
            <span class="grow strong" style={{ overflowWrap: "anywhere" }}>
              {playing(settings)
                ? t("settings.privateChain")
                : usesPublic(settings)
                  ? node.health?.address || t("common.publicNodes")
                  : settings.node || t("common.none")}
            </span>
            {!demo && (
              <Button small onClick={() => show("node")}>
                {t("settings.change")}
              </Button>
            )}
          </p>
          {usesPublic(settings) && (
            <p class="muted">
              {node.health?.nodes?.second
                ? t("settings.secondNode", { address: node.health.nodes.second })
                : t("settings.noSecondNode")}
            </p>
          )}
          {sendingNode(settings) !== "" && (
            <p class="muted">{t("settings.sendsTo", { address: sendingNode(settings) })}</p>
          )}
          {node.health ? <Result health={node.health} /> : <p class="muted">{t("settings.checkingNode")}</p>}
        </div>
      </Section>
      <Section title={t("settings.thisApp")}>
        <div class="card stack">
          <div class="cols">
            <SelectField
              label={t("settings.theme")}
              value={settings.theme}
              onValue={(v) => void change({ theme: v as Settings["theme"] })}
              options={[
                ["auto", t("settings.sameAsDevice")],
                ["light", t("settings.light")],
                ["dark", t("settings.dark")],
              ]}
            />
            {!demo && (
              <SelectField
                label={t("settings.lockAutomatically")}
                value={String(settings.autoLock)}
                onValue={(v) => void change({ autoLock: Number(v) })}
                options={[
                  ...[1, 5, 10, 30].map(
                    (n) => [String(n), t("settings.afterTime", { time: withUnit(n, "minute") })] as const,
                  ),
                  ["0", t("settings.never")],
                ]}
              />
            )}
          </div>
          <LanguageField />
          {!platform.desktop && (
            <SelectField
              label={t("settings.workers")}
              value={String(settings.workers)}
              onValue={(v) => void change({ workers: Number(v) })}
              options={[
                ["0", t("settings.automatic")],
                ...[1, 2, 3, 4, 6, 8].map((n) => [String(n), number(n)] as const),
              ]}
              hint={t("settings.workersHint")}
            />
          )}
          {platform.allowNotices && <NoticeSettings />}
        </div>
      </Section>
      {!platform.desktop && (
        <Section title={t("fiat.title")} about={t("fiat.about")}>
          <div class="card stack">
            <RateSettings />
          </div>
        </Section>
      )}
      {!platform.desktop && (
        <Section title={t("openalias.title")} about={t("openalias.about")}>
          <div class="card stack">
            <NameSettings />
          </div>
        </Section>
      )}
      <Section title={t("settings.storage")}>
        <div class="card stack">
          {platform.desktop ? (
            <DesktopFiles desktop={platform.desktop} />
          ) : demo ? (
            <Notice title={t("demo.stored")}>{t("demo.storedAbout")}</Notice>
          ) : playing(settings) ? (
            <Notice title={t("settings.nothingStored")}>{t("settings.nothingStoredAbout")}</Notice>
          ) : storageKept ? (
            <Notice tone="good" title={t("settings.kept")}>
              {t("settings.keptAbout")}
            </Notice>
          ) : (
            <>
              <Notice tone="warn" title={t("settings.mayGo")}>
                {t("settings.mayGoAbout")}
              </Notice>
              <Button
                onClick={() =>
                  void keepStorage().then((kept) => say(kept ? t("settings.kept") : t("settings.keepRefused")))
                }
              >
                {t("settings.askToKeep")}
              </Button>
            </>
          )}
        </div>
      </Section>
      <Section title={t("settings.walletNamed", { name: nameOf(live.wallet.name) })}>
        <ul class="list">
          <Line
            title={t("switcher.name")}
            sub={t("switcher.nameAbout")}
            action={t("switcher.rename")}
            onAct={() => show("name")}
          />
          {live.backup !== "none" && (
            <Line
              title={t("settings.backup")}
              sub={live.backup === "verified" ? t("settings.verified") : t("settings.notVerified")}
              action={live.backup === "verified" ? t("settings.checkAgain") : t("settings.backUp")}
              onAct={() => (platform.layout === "popup" ? platform.expand?.("backup") : router.go("backup"))}
            />
          )}
          <Line
            title={t("common.seedAndKeys")}
            sub={t("settings.secretsSub")}
            action={t("common.show")}
            onAct={() => show("secrets")}
          />
          <Line
            title={t("settings.copy")}
            sub={t("settings.copySub")}
            action={t("common.save")}
            onAct={() => show("copy")}
          />
          {!demo && (
            <Line
              title={t("common.password")}
              sub={t("settings.passwordSub")}
              action={t("settings.change")}
              onAct={() => show("password")}
            />
          )}
          <Line
            title={t("settings.rescanTitle")}
            sub={t("settings.rescanSub")}
            action={t("settings.rescan")}
            onAct={() => show("rescan")}
          />
          {!demo && (
            <Line
              title={t("settings.remove")}
              sub={t("settings.removeSub")}
              action={t("common.remove")}
              onAct={() => show("remove")}
            />
          )}
        </ul>
      </Section>
      {open === "name" && <Rename onClose={close} />}
      {open === "node" && (
        <Dialog title={t("common.node")} onClose={close}>
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
      <Button small aria-label={t("settings.actionOn", { action, what: title })} onClick={onAct}>
        {action}
      </Button>
    </li>
  );
}

/** Where the wallets are, and how to end the program that has them open. */
function DesktopFiles({ desktop }: { desktop: Desktop }) {
  const work = useWork();
  return (
    <>
      <Notice tone="good" title={t("desktop.files")}>
        {t("desktop.filesAbout", { folder: desktop.folder })}
      </Notice>
      <p class="hint">{t("desktop.quitAbout")}</p>
      <Failed error={work.error} />
      <Button busy={work.busy} onClick={() => void work.run(() => desktop.quit())}>
        {t("desktop.quit")}
      </Button>
    </>
  );
}

function ChangePassword({ onClose }: { onClose(): void }) {
  const { live } = useOpen();
  const { say } = useApp();
  const [old, setOld] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const work = useWork();
  const wrong = again !== "" && again !== password ? t("common.passwordsDiffer") : undefined;
  return (
    <Dialog title={t("settings.changePasswordTitle")} onClose={onClose}>
      <Form
        busy={work.busy}
        class="stack"
        onSubmit={(e) => {
          e.preventDefault();
          void work.run(async () => {
            await live.wallet.rpc.changeWalletPassword({ old_password: old, new_password: password });
            say(t("settings.passwordChanged"));
            onClose();
          });
        }}
      >
        <PasswordField
          label={t("settings.currentPassword")}
          value={old}
          onValue={setOld}
          failed={work.error}
          autoFocus
        />
        <PasswordField label={t("settings.newPassword")} purpose="new" value={password} onValue={setPassword} />
        <PasswordField
          label={t("settings.newPasswordAgain")}
          purpose="new"
          value={again}
          onValue={setAgain}
          error={wrong}
        />
        <Failed error={work.error} />
        <Button look="primary" type="submit" busy={work.busy} disabled={password === "" || password !== again}>
          {t("settings.changePassword")}
        </Button>
      </Form>
    </Dialog>
  );
}

function Rescan({ onClose }: { onClose(): void }) {
  const { live } = useOpen();
  const work = useWork();
  return (
    <Dialog title={t("settings.rescanTitle")} onClose={onClose}>
      <p>{t("settings.rescanAbout")}</p>
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
        {t("settings.rescan")}
      </Button>
    </Dialog>
  );
}

function Remove({ onClose }: { onClose(): void }) {
  const { removeOpen, nameOf } = useApp();
  const { live } = useOpen();
  const shown = nameOf(live.wallet.name);
  const [name, setName] = useState("");
  return (
    <Dialog title={t("settings.remove")} onClose={onClose}>
      <Notice tone="bad" title={t("settings.removeWarningTitle")}>
        {t("settings.removeWarning")}
      </Notice>
      <TextField label={t("settings.typeName", { name: shown })} value={name} onValue={setName} />
      {name === shown && <PasswordGate danger action={t("settings.removePermanently")} onRight={removeOpen} />}
    </Dialog>
  );
}
