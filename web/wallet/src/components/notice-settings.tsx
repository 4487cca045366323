import { useEffect, useState } from "preact/hooks";
import { useApp, useLive } from "../lib/context.js";
import { t } from "../lib/i18n.js";
import type { Settings } from "../lib/settings.js";
import { SelectField } from "./field.js";

/** Tells the platform while the open wallet is in view. */
export function useWatching(): void {
  const { platform } = useApp();
  const live = useLive();
  useEffect(() => {
    const look = (): void => platform.watching?.(document.visibilityState === "visible");
    look();
    document.addEventListener("visibilitychange", look);
    addEventListener("focus", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      removeEventListener("focus", look);
      platform.watching?.(false);
    };
  }, [platform, live]);
}

/** How the extension tells of incoming payments. */
export function NoticeSettings() {
  const { settings, change, platform } = useApp();
  const [refused, setRefused] = useState(false);
  const choose = async (notices: Settings["notices"]): Promise<void> => {
    const asks = notices === "plain" || notices === "amounts";
    // The request must come first, while the browser knows that the user acted.
    const allowed = !asks || ((await platform.allowNotices?.().catch(() => false)) ?? false);
    setRefused(!allowed);
    await change({ notices: allowed ? notices : "badge" });
  };
  return (
    <SelectField
      label={t("news.label")}
      value={settings.notices}
      onValue={(v) => void choose(v as Settings["notices"])}
      options={[
        ["off", t("news.off")],
        ["badge", t("news.badge")],
        ["plain", t("news.plain")],
        ["amounts", t("news.amounts")],
      ]}
      hint={refused ? t("news.refused") : t("news.when")}
    />
  );
}
