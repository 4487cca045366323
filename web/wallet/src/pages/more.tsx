import { Icon } from "../components/icon.js";
import { Head } from "../components/page.js";
import { useApp, useOpen } from "../lib/context.js";
import { playing } from "../lib/settings.js";
import { advanced, demoEntry, keeping, playground, preferences } from "./nav.js";
import { t } from "../lib/i18n.js";

/** The pages for which a phone's navigation bar is too small. */
export function More() {
  const { router, lock } = useOpen();
  const { platform, settings, demo } = useApp();
  const all = [...keeping, ...advanced, ...(playing(settings) ? [demo ? demoEntry : playground] : []), preferences];
  return (
    <>
      <Head title={t("common.more")} />
      <ul class="list">
        {all.map((e) => (
          <li key={e.page}>
            <button type="button" class="item" onClick={() => router.go(e.page)}>
              <span class="bullet">
                <Icon name={e.icon} />
              </span>
              <span class="grow title">{t(e.name)}</span>
              <Icon name="right" size={16} />
            </button>
          </li>
        ))}
        {platform.places?.map((p) => (
          <li key={p.name}>
            <button type="button" class="item" onClick={() => p.open()}>
              <span class="bullet">
                <Icon name={p.icon} />
              </span>
              <span class="grow title">{t(p.name)}</span>
              <Icon name="right" size={16} />
            </button>
          </li>
        ))}
        {!demo && (
          <li>
            <button type="button" class="item" onClick={() => void lock()}>
              <span class="bullet">
                <Icon name="lock" />
              </span>
              <span class="grow title">{t("common.lock")}</span>
            </button>
          </li>
        )}
      </ul>
    </>
  );
}
