import { useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../lib/context.js";
import { plain, type Plain } from "../lib/errors.js";
import { Collector, encode, kinds, maxFrames, type Kind } from "../lib/frames.js";
import { TooLarge } from "../lib/platform.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { TextField } from "./field.js";
import { Failed, Notice } from "./notice.js";
import { AnimatedQR } from "./qr.js";
import { Scanner } from "./scanner.js";

/** Bytes of one QR code: few enough that a camera reads it from a screen. */
const size = 300;
/** Bytes of what is taken in at most: sets of many transactions are well below. */
export const maxBytes = 16 << 20;

interface OutProps {
  kind: Kind;
  data: Uint8Array;
  /** Of the file. */
  name: string;
  /** The data as text, when it can go through a message. */
  text?: string;
}

/** Hands data to another device: as a file, as QR codes, or as text. */
export function HandOut({ kind, data, name, text }: OutProps) {
  const { platform, copy } = useApp();
  const [codes, show] = useState(false);
  const frames = useMemo(() => (codes ? encode(kind, data, size) : []), [codes, kind, data]);
  const fits = Math.ceil(data.length / size) <= maxFrames;
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
          <Button icon="copy" onClick={() => void copy(text, kinds[kind].charAt(0).toUpperCase() + kinds[kind].slice(1))}>
            Copy
          </Button>
        )}
      </div>
      <p class="hint num">{data.length.toLocaleString("en")} bytes</p>
      {codes && (
        <Dialog title={"Show to the other device"} onClose={() => show(false)}>
          <AnimatedQR frames={frames} label={`QR code of the ${kinds[kind]}`} />
          <p class="hint">The codes repeat until the other device has them all.</p>
        </Dialog>
      )}
    </div>
  );
}

interface InProps {
  kind: Kind;
  /** What the button that opens a file says. */
  label?: string;
  /** Lets data be pasted as text. */
  pasteable?: boolean;
  disabled?: boolean;
  onData(data: Uint8Array): Promise<void> | void;
}

/** Takes data from another device: from a file, by camera, or pasted. */
export function TakeIn({ kind, label = "Open file", pasteable = false, disabled = false, onData }: InProps) {
  const { platform } = useApp();
  const [scanning, scan] = useState(false);
  const [pasting, paste] = useState(false);
  const [text, setText] = useState("");
  const [error, setError] = useState<Plain | undefined>(undefined);
  const [wrong, setWrong] = useState("");
  const collector = useRef(new Collector());

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
        return "This is another kind of QR code.";
      case "more":
        return `${taken.have} of ${taken.total} codes`;
      case "damaged":
        return "The codes do not fit together. Go on until all are read again.";
      case "whole":
        if (taken.kind !== kind) return `These codes hold ${kinds[taken.kind]}; what is wanted here is ${kinds[kind]}.`;
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
            collector.current = new Collector();
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
            Take it
          </Button>
        </div>
      )}
      {wrong && <Notice tone="bad">{wrong}</Notice>}
      <Failed error={error} />
      {scanning && <Scanner title={`Scan ${kinds[kind]}`} onText={read} onClose={() => scan(false)} />}
    </div>
  );
}
