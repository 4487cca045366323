import { useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../lib/context.js";
import { plain, type Plain } from "../lib/errors.js";
import { codesOf, EitherCollector, kinds, urTypes, type Form, type Kind } from "../lib/frames.js";
import { TooLarge } from "../lib/platform.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { TextField } from "./field.js";
import { Failed, Notice } from "./notice.js";
import { AnimatedQR } from "./qr.js";
import { Scanner } from "./scanner.js";
import { Segments } from "./segments.js";

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
  const frames = useMemo(() => (codes ? codesOf(form, kind, data) : []), [codes, form, kind, data]);
  const fits = data.length <= maxCodes;
  return (
    <div class="stack tight">
      <div class="row">
        <Button icon="file" onClick={() => void platform.save({ name, bytes: data })}>
          Save file
        </Button>
        <Button icon="qr" disabled={!fits} onClick={() => show(true)}>
          Show as QR
        </Button>
        {text !== undefined && (
          <Button
            icon="copy"
            onClick={() => void copy(text, kinds[kind].charAt(0).toUpperCase() + kinds[kind].slice(1))}
          >
            Copy
          </Button>
        )}
      </div>
      <p class="hint num">{data.length.toLocaleString("en")} bytes</p>
      {codes && (
        <Dialog title="Show this to the other device" onClose={() => show(false)}>
          <AnimatedQR frames={frames} label={`QR code of the ${kinds[kind]}`} />
          <p class="hint">The codes repeat until the other device has read enough of them.</p>
          {choice && (
            <>
              <Segments
                label="Codes for"
                value={form}
                options={[
                  ["ur", "Feather, Keystone, glim"],
                  ["glim", "Older glim"],
                ]}
                onValue={setForm}
              />
              <p class="hint">
                {form === "ur"
                  ? "Wallets that scan UR codes can read these: Feather, Anonero, Keystone and others."
                  : "Only glim can read these. Choose them if the other device has a glim that says the code is of a different kind."}
              </p>
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

/** Takes data from another device: from a file, with the camera, or pasted. */
export function TakeIn({ kind, label = "Open file", pasteable = false, disabled = false, onData }: InProps) {
  const { platform } = useApp();
  const [scanning, scan] = useState(false);
  const [pasting, paste] = useState(false);
  const [text, setText] = useState("");
  const [error, setError] = useState<Plain | undefined>(undefined);
  const [wrong, setWrong] = useState("");
  const collector = useRef(new EitherCollector());

  const give = async (data: Uint8Array): Promise<void> => {
    setError(undefined);
    setWrong("");
    try {
      await onData(data);
    } catch (e) {
      setError(plain(e));
    }
  };
  const open = async (): Promise<void> => {
    try {
      const [file] = await platform.pick({ accept: "*/*", maxBytes });
      if (file) await give(file.bytes);
    } catch (e) {
      setWrong(e instanceof TooLarge ? e.message : "This file cannot be read.");
    }
  };
  const read = (code: string): string | undefined => {
    const taken = collector.current.take(code);
    switch (taken.state) {
      case "other":
        return "This QR code is of a different kind.";
      case "more":
        return `${taken.have} of ${taken.total} parts`;
      case "damaged":
        return "This code does not match the others. Keep scanning.";
      case "whole":
        if (taken.kind !== kind) return `These codes contain: ${kinds[taken.kind]}. Needed here: ${kinds[kind]}.`;
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
          Scan QR
        </Button>
        {pasteable && (
          <Button icon="edit" disabled={disabled} aria-expanded={pasting} onClick={() => paste(!pasting)}>
            Paste
          </Button>
        )}
      </div>
      {pasting && (
        <div class="stack tight">
          <TextField label="Pasted text" mono rows={4} value={text} onValue={setText} />
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
            {" "}
            Add{" "}
          </Button>
        </div>
      )}
      {wrong && <Notice tone="bad">{wrong}</Notice>}
      <Failed error={error} />
      {scanning && <Scanner title={`Scan ${kinds[kind]}`} onText={read} onClose={() => scan(false)} />}
    </div>
  );
}
