import { useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../lib/context.js";
import { plain, type Plain } from "../lib/errors.js";
import { codesOf, EitherCollector, kinds, urTypes, type Form, type Kind } from "../lib/frames.js";
import { TooLarge } from "../lib/platform.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { TextField } from "./field.js";
import { useFixed } from "./form.js";
import { Failed, Notice } from "./notice.js";
import { AnimatedQR } from "./qr.js";
import { Scanner } from "./scanner.js";
import { Segments } from "./segments.js";
import { t, withUnit } from "../lib/i18n.js";

/** Largest input, in bytes: sets of many transactions are far smaller. */
export const maxBytes = 16 << 20;

interface OutProps {
  kind: Kind;
  data: Uint8Array;
  /** Name of the file. */
  name: string;
  /** The data as text, if it can be sent in a message. */
  text?: string;
}

/** The most bytes that are shown as QR codes: a camera would need minutes for more. */
const maxCodes = 256 << 10;

/** Hands data to another device: as a file, as QR codes or as text. */
export function HandOut({ kind, data, name, text }: OutProps) {
  const { platform, copy } = useApp();
  const [codes, show] = useState(false);
  const choice = urTypes[kind] !== undefined;
  const [form, setForm] = useState<Form>("ur");
  const frames = useMemo(() => (codes ? codesOf(form, kind, data) : undefined), [codes, form, kind, data]);
  const fits = data.length <= maxCodes;
  return (
    <div class="stack tight">
      <div class="row">
        <Button icon="file" onClick={() => void platform.save({ name, bytes: data })}>
          {t("common.saveFile")}
        </Button>
        <Button icon="qr" disabled={!fits} onClick={() => show(true)}>
          {t("transport.showAsQr")}
        </Button>
        {text !== undefined && (
          <Button icon="copy" onClick={() => void copy(text, t(kinds[kind]))}>
            {t("common.copy")}
          </Button>
        )}
      </div>
      <p class="hint num">{withUnit(data.length, "byte")}</p>
      {frames && (
        <Dialog title={t("transport.showTitle")} onClose={() => show(false)}>
          <AnimatedQR frames={frames} label={t("transport.qrOf", { what: t(kinds[kind]) })} />
          <p class="hint">{t("transport.repeat")}</p>
          {choice && (
            <>
              <Segments
                label={t("transport.codesFor")}
                value={form}
                options={[
                  ["ur", "Feather, Keystone, glim"],
                  ["glim", t("transport.olderGlim")],
                ]}
                onValue={setForm}
              />
              <p class="hint">{form === "ur" ? t("transport.urAbout") : t("transport.glimOnly")}</p>
            </>
          )}
        </Dialog>
      )}
    </div>
  );
}

interface InProps {
  kind: Kind;
  /** The text of the button that opens a file. */
  label?: string;
  /** Allows pasting the data as text. */
  pasteable?: boolean;
  disabled?: boolean;
  onData(data: Uint8Array): Promise<void> | void;
}

/**
 * Takes data from another device: from a file, with the camera, or pasted. While onData processes some, no other can be
 * entered.
 */
export function TakeIn({
  kind,
  label = t("transport.openFile"),
  pasteable = false,
  disabled: off = false,
  onData,
}: InProps) {
  const { platform } = useApp();
  const [busy, setBusy] = useState(false);
  const disabled = useFixed() || off || busy;
  const [scanning, scan] = useState(false);
  const [pasting, paste] = useState(false);
  const [text, setText] = useState("");
  const [error, setError] = useState<Plain | undefined>(undefined);
  const [wrong, setWrong] = useState("");
  const collector = useRef(new EitherCollector());

  const give = async (data: Uint8Array): Promise<void> => {
    setError(undefined);
    setWrong("");
    setBusy(true);
    try {
      await onData(data);
    } catch (e) {
      setError(plain(e));
    } finally {
      setBusy(false);
    }
  };
  const open = async (): Promise<void> => {
    try {
      const [file] = await platform.pick({ accept: "*/*", maxBytes });
      if (file) await give(file.bytes);
    } catch (e) {
      setWrong(e instanceof TooLarge ? e.message : t("transport.unreadable"));
    }
  };
  const read = (code: string): string | undefined => {
    const taken = collector.current.take(code);
    switch (taken.state) {
      case "other":
        return t("transport.other");
      case "more":
        return t("transport.parts", { some: taken.have, all: taken.total });
      case "damaged":
        return t("transport.damaged");
      case "whole":
        if (taken.kind !== kind)
          return t("transport.otherKind", { found: t(kinds[taken.kind]), needed: t(kinds[kind]) });
        scan(false);
        void give(taken.data);
        return undefined;
    }
  };

  return (
    <div class="stack tight">
      <div class="row">
        <Button icon="file" disabled={disabled} onClick={() => void open()}>
          {label}
        </Button>
        <Button
          icon="scan"
          disabled={disabled}
          onClick={() => {
            collector.current = new EitherCollector();
            scan(true);
          }}
        >
          {t("common.scanQr")}
        </Button>
        {pasteable && (
          <Button icon="edit" disabled={disabled} aria-expanded={pasting} onClick={() => paste(!pasting)}>
            {t("transport.paste")}
          </Button>
        )}
      </div>
      {pasting && (
        <div class="stack tight">
          <TextField label={t("transport.pastedText")} mono rows={4} value={text} onValue={setText} />
          <Button
            small
            disabled={text.trim() === ""}
            onClick={() => {
              const bytes = new TextEncoder().encode(text.trim());
              setText("");
              paste(false);
              void give(bytes);
            }}
          >
            {t("transport.add")}
          </Button>
        </div>
      )}
      {wrong && <Notice tone="bad">{wrong}</Notice>}
      <Failed error={error} />
      {scanning && (
        <Scanner title={t("transport.scanWhat", { what: t(kinds[kind]) })} onText={read} onClose={() => scan(false)} />
      )}
    </div>
  );
}
