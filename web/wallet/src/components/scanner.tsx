import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../lib/context.js";
import { qrReader, readImage } from "../lib/scan.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Notice } from "./notice.js";
import { t } from "../lib/i18n.js";

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
      if (found === 0) say(t("scanner.notFound"));
    } catch {
      say(t("scanner.unreadable"));
    }
  };

  return (
    <Dialog title={title} onClose={onClose}>
      {state !== "off" && (
        <div class="viewfinder">
          <video ref={video} muted playsInline aria-label={t("scanner.cameraPicture")} />
        </div>
      )}
      {state === "off" && <Notice title={t("scanner.noCamera")}>{t("scanner.noCameraAbout")}</Notice>}
      <p class="hint" role="status">
        {status || (state === "on" ? t("scanner.hold") : state === "starting" ? t("scanner.waiting") : "")}
      </p>
      <Button icon="file" onClick={() => void images()}>
        {t("scanner.choosePictures")}
      </Button>
    </Dialog>
  );
}
