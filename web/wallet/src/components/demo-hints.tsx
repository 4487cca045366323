import { useApp, useAsked, useOpen } from "../lib/context.js";
import { names } from "../lib/demo.js";
import { t } from "../lib/i18n.js";
import { usePlace } from "../lib/router.js";
import { Button } from "./button.js";
import { useCounterparty } from "./demo-banner.js";

/** On the first page of the demo: what to try. */
export function DemoHints() {
  const { demo } = useApp();
  const { router } = useOpen();
  const { page } = usePlace(router);
  const counterparty = useCounterparty();
  const to = useAsked(async () => (await counterparty?.wallets.other.rpc.getAddress())?.address ?? "", [counterparty]);
  if (!demo || !counterparty) return null;
  return (
    <section class="card stack tight">
      <h2>{t("demo.payment")}</h2>
      <p class="muted">{t("demo.payAbout", { name: names.other })}</p>
      <div class="row">
        <Button icon="send" disabled={!to.data} onClick={() => router.go("send", to.data)}>
          {t("demo.pay", { name: names.other })}
        </Button>
        {page !== "play" && (
          <Button look="plain" onClick={() => router.go("play")}>
            {t("demo.more")}
          </Button>
        )}
      </div>
    </section>
  );
}
