import { useState } from "preact/hooks";
import { copyName, keepSaved, needsCopy, payments, savedPayments } from "../lib/copies.js";
import { useApp, useLive, useOpen, useWallet, useWork } from "../lib/context.js";
import type { Transfer } from "../lib/engine.js";
import { playing } from "../lib/settings.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Failed, Notice } from "./notice.js";

/** Saves a copy of the open wallet's file. */
export function SaveCopy({ onClose }: { onClose(): void }) {
  const { engine, platform, say } = useApp();
  const { live } = useOpen();
  const work = useWork();
  const save = async (): Promise<void> => {
    const history = await live.wallet.history();
    await keepSaved(live.wallet, payments(history));
    await platform.save({ name: copyName(live.wallet.name), bytes: await engine.exportFile(live.wallet.name) });
    live.touch();
    say("The copy was handed to the browser. Check that it is among your downloads.");
    onClose();
  };
  return (
    <Dialog title="Save a copy of this wallet" onClose={onClose}>
      <p>
        The file contains all of this wallet: keys, labels, notes, address book and transaction keys. To use it, choose{" "}
        <strong>Restore a wallet</strong> and <strong>File</strong>, here or in another browser.
      </p>
      <Notice title="It is encrypted with the present password of this wallet">
        Without the password it cannot be opened, so it does not replace the seed words.
      </Notice>
      <Failed error={work.error} />
      <Button look="primary" icon="file" busy={work.busy} onClick={() => void work.run(save)}>
        Save file
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
        <Notice tone="warn" title="Save a copy of this wallet">
          <p>
            {storageKept ? "" : "The browser may delete it when storage runs short. "}
            The seed words bring your money back, but not the notes, labels and keys of your payments.
          </p>
          <p style={{ marginTop: "8px" }}>
            <Button small onClick={() => show(true)}>
              Save a copy
            </Button>
          </p>
        </Notice>
      )}
      {open && <SaveCopy onClose={() => show(false)} />}
    </>
  );
}
