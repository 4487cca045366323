import type { TxDescription } from "../lib/engine.js";
import { Address } from "./address.js";
import { Money } from "./money.js";
import { Fact, Facts } from "./page.js";

/** What unsigned transactions would do, for the user to check. */
export function Described({ transactions }: { transactions: readonly TxDescription[] }) {
  return (
    <>
      {transactions.map((tx, i) => (
        <section class="card" key={i}>
          {transactions.length > 1 && <h3>Transaction {i + 1}</h3>}
          <Facts>
            {tx.recipients.map((r, k) => (
              <Fact key={k} name={tx.recipients.length > 1 ? `Pays ${k + 1}` : "Pays"}>
                <div class="strong">
                  <Money value={r.amount} />
                </div>
                <Address text={r.address} />
              </Fact>
            ))}
            {tx.recipients.length === 0 && <Fact name="Pays">Only this wallet</Fact>}
            <Fact name="Fee">
              <Money value={tx.fee} />
            </Fact>
            {tx.change_amount > 0n && (
              <Fact name="Change">
                <Money value={tx.change_amount} />
              </Fact>
            )}
            <Fact name="Leaves the wallet" total>
              <Money value={tx.recipients.reduce((sum, r) => sum + r.amount, 0n) + tx.fee} />
            </Fact>
          </Facts>
        </section>
      ))}
    </>
  );
}
