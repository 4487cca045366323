import { useLive, useOpen } from "../lib/context.js";
import { Button } from "./button.js";
import { Notice } from "./notice.js";
import { t } from "../lib/i18n.js";

/** Says that a part of the wallet's file is missing, and what to do. */
export function FileWarning() {
  const { router } = useOpen();
  const { warning } = useLive();
  if (warning === "") return null;
  return (
    <Notice tone="bad" title={t("fileWarning.title")}>
      <p>{t("fileWarning.about")}</p>
      <details class="small">
        <summary>{t("common.technicalDetails")}</summary>
        <span class="mono">{warning}</span>
      </details>
      <p style={{ marginTop: "8px" }}>
        <Button small onClick={() => router.go("settings")}>
          {t("common.settings")}
        </Button>
      </p>
    </Notice>
  );
}
