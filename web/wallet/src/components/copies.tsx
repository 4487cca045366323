import { useState } from "preact/hooks";
import { copyName, keepSaved, needsCopy, payments, savedPayments } from "../lib/copies.js";
import { useApp, useLive, useOpen, useWallet, useWork } from "../lib/context.js";
import type { Transfer } from "../lib/engine.js";
import { playing } from "../lib/settings.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Failed, Notice } from "./notice.js";
import { t } from "../lib/i18n.js";
import { Text } from "./text.js";

/** Saves a copy of the open wallet's file. */
export function SaveCopy({ onClose }: { onClose(): void }) {
  const { engine, platform, say, nameOf } = useApp();
  const { live } = useOpen();
  const work = useWork();
  const save = async (): Promise<void> => {
    const history = await live.wallet.history();
    await keepSaved(live.wallet, payments(history));
    await platform.save({ name: copyName(nameOf(live.wallet.name)), bytes: await engine.exportFile(live.wallet.name) });
    live.touch();
    say(t("copies.saved"));
    onClose();
  };
  return (
    <Dialog title={t("copies.title")} onClose={onClose}>
      <p>
        <Text
          id="copies.about"
          b={(text) => <strong>{text}</strong>}
          restore={t("common.restoreAWallet")}
          file={t("common.file")}
        />
      </p>
      <Notice title={t("copies.encrypted")}>{t("copies.needsPassword")}</Notice>
      <Failed error={work.error} />
      <Button look="primary" icon="file" busy={work.busy} onClick={() => void work.run(save)}>
        {t("common.saveFile")}
      </Button>
    </Dialog>
  );
}

/** Reminds the user to save a copy if payments were sent since the last one. history is that of the wallet. */
export function CopyReminder({ history }: { history: readonly Transfer[] | undefined }) {
  const { settings, storageKept } = useApp();
  const { backup } = useLive();
  const [open, show] = useState(false);
  const saved = useWallet((l) => savedPayments(l.wallet));
  const due =
    history !== undefined &&
    saved.data !== undefined &&
    storageKept !== undefined &&
    needsCopy(payments(history), saved.data, storageKept);
  // One reminder at a time, and the seed words first. A private chain ends with its page.
  const remind = due && backup !== "open" && !playing(settings);
  return (
    <>
      {remind && (
        <Notice tone="warn" title={t("copies.title")}>
          <p>{storageKept ? t("copies.reminder") : t("copies.reminderMayGo")}</p>
          <p style={{ marginTop: "8px" }}>
            <Button small onClick={() => show(true)}>
              {t("copies.saveACopy")}
            </Button>
          </p>
        </Notice>
      )}
      {open && <SaveCopy onClose={() => show(false)} />}
    </>
  );
}
