/** The connected sites, and how to disconnect them. */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import "./styles.js";
import { Address } from "../../wallet/src/components/address.js";
import { Button } from "../../wallet/src/components/button.js";
import { Check } from "../../wallet/src/components/field.js";
import { Brand } from "../../wallet/src/components/icon.js";
import { loadNames, shownName } from "../../wallet/src/lib/names.js";
import { databaseOf, engineOptions, load } from "../../wallet/src/lib/settings.js";
import { links } from "./lib/link.js";
import { extensionPage } from "./lib/platform.js";
import type { Grant } from "./lib/site.js";
import { sites } from "./lib/sites.js";
import { NameWarnings } from "./warnings.js";
import { dated, speak, t } from "../../wallet/src/lib/i18n.js";

function Sites() {
  const [all, set] = useState<Grant[] | undefined>(undefined);
  const [linked, link] = useState<boolean | undefined>(undefined);
  const look = (): void => {
    void sites.all().then(set);
    void links.wanted().then(link);
  };
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
      <header class="wide">
        <Brand />
      </header>
      <main class="wide stack">
        <h1>{t("common.connectedSites")}</h1>
        <p class="muted">{t("sites.about")}</p>
        {all?.length === 0 && <p>{t("sites.none")}</p>}
        {all?.map((s) => (
          <section key={s.origin} class="card stack">
            <h2>{s.origin}</h2>
            <NameWarnings origin={s.origin} grants={all} />
            <p class="hint">
              {t("sites.connection", {
                wallet: nameOf(s),
                network: t(`network.${s.network}`),
                date: dated(s.since, { dateStyle: "medium" }),
              })}
            </p>
            <Address text={s.address} />
            <Button look="danger" small icon="cross" onClick={() => void revoke(s.origin)}>
              {t("sites.disconnect")}
            </Button>
          </section>
        ))}
        <h2>{t("link.title")}</h2>
        <section class="card stack tight">
          {linked !== undefined && (
            <Check
              checked={linked}
              onChecked={(yes) => {
                link(yes);
                void links.want(yes);
              }}
            >
              {t("link.want")}
            </Check>
          )}
          <p class="hint">{t("link.wantAbout")}</p>
        </section>
      </main>
    </div>
  );
}

const platform = extensionPage("page");
const settings = await load(platform);
await speak(settings.language);
const names = await loadNames(platform);
const current = engineOptions(settings, "");

/** Returns the name that the wallet of a site is shown by. */
function nameOf({ network, wallet }: Grant): string {
  return shownName(names, network === current.network ? current.database : databaseOf(network), wallet);
}

render(<Sites />, document.getElementById("app") ?? document.body);
