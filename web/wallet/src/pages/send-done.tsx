import { Value } from "../components/address.js";
import { Button } from "../components/button.js";
import { Icon } from "../components/icon.js";
import { Money } from "../components/money.js";
import { Failed } from "../components/notice.js";
import { Fact, Facts } from "../components/page.js";
import { useAsked, useOpen } from "../lib/context.js";
import type { Draft } from "../lib/engine.js";

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
        <h1 tabIndex={-1}>Sent</h1>
        <p class="transfer-amount">
          <Money value={draft.amount} />
        </p>
        <p class="muted">
          The node has received it. The next blocks will confirm it, and your change will then return to this wallet.
        </p>
      </div>
      {txids.map((txid, i) => (
        <section class="card" key={txid}>
          <Facts>
            <Fact name="Fee">
              <Money value={draft.transactions[i]?.fee ?? draft.fee} />
            </Fact>
            <Fact name="Transaction ID">
              <Value text={txid} what="Transaction ID" />
            </Fact>
            {keys.data?.[i] && (
              <Fact name="Transaction key">
                <Value text={keys.data[i]} what="Transaction key" />
                <p class="hint">It proves this payment. Give it only to the recipient.</p>
              </Fact>
            )}
          </Facts>
        </section>
      ))}
      <Failed error={keys.error} />
      <div class="row">
        <Button look="primary" onClick={() => router.go("home")}>
          Done
        </Button>
        {txids[0] && <Button onClick={() => router.go("transfer", txids[0])}>Show details</Button>}
        <Button look="plain" onClick={onAnother}>
          Send another
        </Button>
      </div>
    </div>
  );
}
