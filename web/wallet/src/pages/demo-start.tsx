import { useEffect, useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { Brand } from "../components/icon.js";
import { Failed } from "../components/notice.js";
import { useApp, useWork } from "../lib/context.js";
import { t } from "../lib/i18n.js";
import { makeDemo, openDemo, type DemoWallets } from "../lib/demo-start.js";

/** Makes the demo, or opens the stored one, and shows the progress. */
export function DemoStart({ onOpen }: { onOpen(wallets: DemoWallets): Promise<void> }) {
  const { engine, demo, say } = useApp();
  const [part, setPart] = useState<number | undefined>(undefined);
  const work = useWork();
  const leaving = useWork();
  const open = (): void =>
    void work.run(async () => {
      if (!demo) return;
      if (await demo.ready()) return onOpen(await openDemo(engine));
      // Something is left of a demo whose making broke off.
      if ((await engine.wallets()).length > 0) return demo.again();
      setPart(0);
      const wallets = await makeDemo(engine, setPart);
      await demo.made();
      await onOpen(wallets);
    });
  useEffect(open, [engine]);
  return (
    <div class="gate">
      <header>
        <Brand />
      </header>
      <main>
        {work.error ? (
          <div class="stack">
            <h1>{t("demo.failed")}</h1>
            <Failed error={leaving.error ?? work.error} />
            <div class="row">
              <Button look="primary" onClick={open}>
                {t("common.tryAgain")}
              </Button>
              <Button busy={leaving.busy} onClick={() => void leaving.run(async () => demo?.again())}>
                {t("demo.again")}
              </Button>
              <Button
                look="plain"
                busy={leaving.busy}
                onClick={() => void leaving.run(async () => demo?.end().then(() => say(t("demo.ended"))))}
              >
                {t("demo.end")}
              </Button>
            </div>
          </div>
        ) : part === undefined ? (
          <p class="row muted" role="status">
            <span class="spinner" aria-hidden="true" /> {t("demo.opening")}
          </p>
        ) : (
          <div class="stack tight">
            <p class="muted" role="status">
              {t("demo.making")}
            </p>
            <div
              class="bar"
              role="progressbar"
              aria-label={t("demo.making")}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={Math.round(100 * part)}
            >
              <i style={{ width: `${100 * part}%` }} />
            </div>
          </div>
        )}
      </main>
      <footer>{t("demo.footer")}</footer>
    </div>
  );
}
