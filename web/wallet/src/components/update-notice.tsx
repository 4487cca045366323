import { useEffect, useState } from "preact/hooks";
import { useApp } from "../lib/context.js";
import { t } from "../lib/i18n.js";
import { Button } from "./button.js";
import { Icon } from "./icon.js";

/** Offers a newer version of the app, which is stored already. */
export function UpdateNotice() {
  const { updates } = useApp().platform;
  const [, again] = useState(0);
  const [later, wait] = useState(false);
  useEffect(() => updates?.subscribe(() => again((n) => n + 1)), [updates]);
  return (
    <div role="status">
      {updates?.ready && !later && (
        <div class="update-notice">
          <Icon name="info" />
          <p class="grow">
            <strong>{t("updates.ready")}</strong> {t("updates.about")}
          </p>
          <span class="row">
            <Button small look="primary" onClick={() => updates.apply()}>
              {t("updates.apply")}
            </Button>
            <Button small look="plain" onClick={() => wait(true)}>
              {t("updates.later")}
            </Button>
          </span>
        </div>
      )}
    </div>
  );
}
