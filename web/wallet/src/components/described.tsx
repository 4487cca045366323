import type { TxDescription } from "../lib/engine.js";
import { Address } from "./address.js";
import { Money } from "./money.js";
import { Fact, Facts } from "./page.js";
import { t } from "../lib/i18n.js";

/** What unsigned transactions would do, for the user to check. */
export function Described({ transactions }: { transactions: readonly TxDescription[] }) {
  return (
    <>
      {transactions.map((tx, i) => (
        <section class="card" key={i}>
          {transactions.length > 1 && <h3>{t("described.transaction", { number: i + 1 })}</h3>}
          <Facts>
            {tx.recipients.map((r, k) => (
              <Fact
                key={k}
                name={tx.recipients.length > 1 ? t("described.paysNumber", { number: k + 1 }) : t("described.pays")}
              >
                <div class="strong">
                  <Money value={r.amount} />
                </div>
                <Address text={r.address} />
              </Fact>
            ))}
            {tx.recipients.length === 0 && <Fact name={t("described.pays")}>{t("described.onlyThisWallet")}</Fact>}
            <Fact name={t("common.fee")}>
              <Money value={tx.fee} />
            </Fact>
            {tx.change_amount > 0n && (
              <Fact name={t("described.change")}>
                <Money value={tx.change_amount} />
              </Fact>
            )}
            <Fact name={t("described.leavesTheWallet")} total>
              <Money value={tx.recipients.reduce((sum, r) => sum + r.amount, 0n) + tx.fee} />
            </Fact>
          </Facts>
        </section>
      ))}
    </>
  );
}
