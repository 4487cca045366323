import { Brand } from "../components/icon.js";
import { Button } from "../components/button.js";
import { Failed } from "../components/notice.js";
import type { Plain } from "../lib/errors.js";
import { defaults, type Settings } from "../lib/settings.js";
import { t } from "../lib/i18n.js";

/** Shown until the engine runs, and what to do if it does not start. */
export function Starting({
  error,
  onRetry,
  desktop,
}: {
  error: Plain | undefined;
  onRetry(settings?: Partial<Settings>): void;
  /** Whether `glim app` runs the engine. */
  desktop: boolean;
}) {
  return (
    <div class="gate">
      <header>
        <Brand />
      </header>
      <main>
        {error ? (
          <div class="stack">
            <h1>{t("starting.failed")}</h1>
            <Failed error={error} />
            <div class="row">
              <Button look="primary" onClick={() => onRetry()}>
                {t("common.tryAgain")}
              </Button>
              {!desktop && (
                <Button
                  onClick={() =>
                    onRetry({ network: defaults.network, public: defaults.public, node: defaults.node, workers: 0 })
                  }
                >
                  {t("starting.useDefaults")}
                </Button>
              )}
            </div>
          </div>
        ) : (
          <p class="row muted" role="status">
            <span class="spinner" aria-hidden="true" /> {t("starting.starting")}
          </p>
        )}
      </main>
      <footer>{t(desktop ? "desktop.footer" : "starting.footer")}</footer>
    </div>
  );
}
