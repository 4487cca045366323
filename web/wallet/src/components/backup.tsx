import { useApp, useLive, useOpen } from "../lib/context.js";
import { Button } from "./button.js";
import { Notice } from "./notice.js";

/** Reminds the user of the seed words until it is certain that they are written down. */
export function BackupReminder() {
  const { platform } = useApp();
  const { router } = useOpen();
  const { backup } = useLive();
  if (backup !== "open") return null;
  // A popup closes as soon as the user looks elsewhere.
  const go = (): void => (platform.layout === "popup" ? platform.expand?.("backup") : router.go("backup"));
  return (
    <Notice tone="warn" title="Your seed words are not backed up">
      <p>
        If this browser loses its data, only the seed words bring your money back. It takes a few minutes and paper.
      </p>
      <p style={{ marginTop: "8px" }}>
        <Button small onClick={go}>
          Back up now
        </Button>
      </p>
    </Notice>
  );
}
