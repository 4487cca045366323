/** The connected sites, and how to disconnect them. */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import "./styles.js";
import { Address } from "../../wallet/src/components/address.js";
import { Button } from "../../wallet/src/components/button.js";
import { Brand } from "../../wallet/src/components/icon.js";
import { load } from "../../wallet/src/lib/settings.js";
import { extensionPage } from "./lib/platform.js";
import type { Grant } from "./lib/site.js";
import { sites } from "./lib/sites.js";
import { dated, speak, t } from "../../wallet/src/lib/i18n.js";

function Sites() {
  const [all, set] = useState<Grant[] | undefined>(undefined);
  const look = (): void => void sites.all().then(set);
  useEffect(() => {
    look();
    chrome.storage.onChanged.addListener(look);
    return () => chrome.storage.onChanged.removeListener(look);
  }, []);
  const revoke = async (origin: string): Promise<void> => {
    await chrome.runtime.sendMessage({ type: "revoke", origin });
    look();
  };
  return (
    <div class="gate">
      <header>
        <Brand />
      </header>
      <main class="wide stack">
        <h1>{t("common.connectedSites")}</h1>
        <p class="muted">{t("sites.about")}</p>
        {all?.length === 0 && <p>{t("sites.none")}</p>}
        {all?.map((s) => (
          <section key={s.origin} class="card stack">
            <h2>{s.origin}</h2>
            <p class="hint">
              {t("sites.connection", {
                wallet: s.wallet,
                network: s.network,
                date: dated(s.since, { dateStyle: "medium" }),
              })}
            </p>
            <Address text={s.address} />
            <Button look="danger" small icon="cross" onClick={() => void revoke(s.origin)}>
              {t("sites.disconnect")}
            </Button>
          </section>
        ))}
      </main>
    </div>
  );
}

const { language } = await load(extensionPage("page"));
await speak(language);
render(<Sites />, document.getElementById("app") ?? document.body);
