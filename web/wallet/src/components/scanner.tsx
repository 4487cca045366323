import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../lib/context.js";
import { qrReader, readImage } from "../lib/scan.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Notice } from "./notice.js";

interface Props {
  title: string;
  /** Receives a text that was read. Returns the progress to show, or undefined when done. */
  onText(text: string): string | undefined;
  onClose(): void;
}

/** Reads QR codes with the camera or from image files. */
export function Scanner({ title, onText, onClose }: Props) {
  const { platform } = useApp();
  const video = useRef<HTMLVideoElement>(null);
  const take = useRef(onText);
  take.current = onText;
  const [state, set] = useState<"starting" | "on" | "off">(platform.camera ? "starting" : "off");
  const [status, say] = useState("");

  useEffect(() => {
    if (!platform.camera) return;
    let gone = false;
    let stream: MediaStream | undefined;
    const run = async (): Promise<void> => {
      const read = await qrReader();
      stream = await platform.openCamera();
      const v = video.current;
      if (gone || !v) return;
      v.srcObject = stream;
      await v.play();
      set("on");
      let last = "";
      while (!gone) {
        if (v.readyState >= 2) {
          const text = await read(v, v.videoWidth, v.videoHeight);
          if (gone) return;
          if (text !== "" && text !== last) {
            last = text;
            say(take.current(text) ?? "");
          }
        }
        await new Promise((r) => requestAnimationFrame(r));
      }
    };
    const stop = (): void => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    run()
      .catch(() => gone || set("off"))
      .finally(() => gone && stop());
    return () => {
      gone = true;
      stop();
    };
  }, [platform]);

  const images = async (): Promise<void> => {
    const files = await platform.pick({ accept: "image/*", multiple: true, maxBytes: 20 << 20 });
    if (files.length === 0) return;
    try {
      const read = await qrReader();
      let found = 0;
      for (const file of files) {
        const text = await readImage(read, file.bytes);
        if (text === "") continue;
        found++;
        say(take.current(text) ?? "");
      }
      if (found === 0) say("No QR code was found in this picture.");
    } catch {
      say("This picture cannot be read.");
    }
  };

  return (
    <Dialog title={title} onClose={onClose}>
      {state !== "off" && (
        <div class="viewfinder">
          <video ref={video} muted playsInline aria-label="Camera picture" />
        </div>
      )}
      {state === "off" && (
        <Notice title="No camera">
          No camera was found, or the browser may not use it. You can choose pictures of the code instead.
        </Notice>
      )}
      <p class="hint" role="status">
        {status ||
          (state === "on" ? "Hold the code inside the frame." : state === "starting" ? "Waiting for the camera." : "")}
      </p>
      <Button icon="file" onClick={() => void images()}>
        Choose pictures
      </Button>
    </Dialog>
  );
}
