import { Value } from "../components/address.js";
import { Button } from "../components/button.js";
import { Icon } from "../components/icon.js";
import { Money } from "../components/money.js";
import { Failed } from "../components/notice.js";
import { Fact, Facts } from "../components/page.js";
import { useAsked, useOpen } from "../lib/context.js";
import type { Draft } from "../lib/engine.js";
import { t } from "../lib/i18n.js";

/** The result of a payment: the transactions, and the key that proves each. */
export function Sent({ txids, draft, onAnother }: { txids: readonly string[]; draft: Draft; onAnother(): void }) {
  const { live, router } = useOpen();
  const keys = useAsked(
    () => Promise.all(txids.map(async (txid) => (await live.wallet.rpc.getTxKey({ txid })).tx_key)),
    [txids],
  );
  return (
    <div class="stack">
      <div class="done">
        <span class="bullet in large">
          <Icon name="check" size={30} />
        </span>
        <h1 tabIndex={-1}>{t("common.sent")}</h1>
        <p class="transfer-amount">
          <Money value={draft.amount} />
        </p>
        <p class="muted">{t("sendDone.about")}</p>
      </div>
      {txids.map((txid, i) => (
        <section class="card" key={txid}>
          <Facts>
            <Fact name={t("common.fee")}>
              <Money value={draft.transactions[i]?.fee ?? draft.fee} />
            </Fact>
            <Fact name={t("common.transactionId")}>
              <Value text={txid} what={t("common.transactionId")} />
            </Fact>
            {keys.data?.[i] && (
              <Fact name={t("common.transactionKey")}>
                <Value text={keys.data[i]} what={t("common.transactionKey")} />
                <p class="hint">{t("sendDone.keyHint")}</p>
              </Fact>
            )}
          </Facts>
        </section>
      ))}
      <Failed error={keys.error} />
      <div class="row">
        <Button look="primary" onClick={() => router.go("home")}>
          {t("common.done")}
        </Button>
        {txids[0] && <Button onClick={() => router.go("transfer", txids[0])}>{t("sendDone.details")}</Button>}
        <Button look="plain" onClick={onAnother}>
          {t("sendDone.another")}
        </Button>
      </div>
    </div>
  );
}
