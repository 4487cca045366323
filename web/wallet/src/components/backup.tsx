import { useApp, useLive, useOpen } from "../lib/context.js";
import { Button } from "./button.js";
import { Notice } from "./notice.js";
import { t } from "../lib/i18n.js";

/** Reminds the user of the seed words until it is certain that they are written down. */
export function BackupReminder() {
  const { platform } = useApp();
  const { router } = useOpen();
  const { backup } = useLive();
  if (backup !== "open") return null;
  // A popup closes as soon as the user looks elsewhere.
  const go = (): void => (platform.layout === "popup" ? platform.expand?.("backup") : router.go("backup"));
  return (
    <Notice tone="warn" title={t("backup.reminderTitle")}>
      <p>{t("backup.reminder")}</p>
      <p style={{ marginTop: "8px" }}>
        <Button small onClick={go}>
          {t("backup.backUpNow")}
        </Button>
      </p>
    </Notice>
  );
}
