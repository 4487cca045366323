import { Brand } from "../components/icon.js";
import { t } from "../lib/i18n.js";

/** Shown in place of the app when `glim app` has ended, or if the page's address is not good for a session. */
export function Gone({ ended }: { ended: boolean }) {
  return (
    <div class="gate">
      <header>
        <Brand />
      </header>
      <main>
        <div class="stack" role="status">
          <h1>{t(ended ? "desktop.ended" : "desktop.used")}</h1>
          <p class="muted">{t(ended ? "desktop.endedNext" : "desktop.usedNext")}</p>
        </div>
      </main>
      <footer>{t("desktop.footer")}</footer>
    </div>
  );
}
