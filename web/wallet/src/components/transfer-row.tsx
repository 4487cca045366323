import type { Transfer } from "../lib/engine.js";
import { short } from "../lib/payee.js";
import { incoming, state } from "../lib/search.js";
import { timeOfDay } from "../lib/time.js";
import { Icon } from "./icon.js";
import { Money } from "./money.js";
import { t } from "../lib/i18n.js";

/** Returns the state of a transfer in words. */
export function stateWords(tx: Transfer): { text: string; tone: "" | "warn" | "bad" | "good" } {
  switch (state(tx)) {
    case "failed":
      return { text: t("common.failed"), tone: "bad" };
    case "waiting":
      return {
        text: tx.doubleSpendSeen ? t("transferRow.doubleSpend") : t("common.pending"),
        tone: tx.doubleSpendSeen ? "bad" : "warn",
      };
    case "locked":
      return { text: incoming(tx) ? t("transferRow.locked") : t("transferRow.confirming"), tone: "warn" };
    case "done":
      return { text: "", tone: "" };
  }
}

/** A transfer in a list. */
export function TransferRow({ transfer: tx, label, onOpen }: { transfer: Transfer; label: string; onOpen(): void }) {
  const into = incoming(tx);
  const words = stateWords(tx);
  const title =
    tx.note ||
    label ||
    (tx.type === "block" ? t("transferRow.miningReward") : into ? t("common.received") : t("common.sent"));
  const other = into ? tx.address : (tx.destinations[0]?.address ?? "");
  return (
    <li>
      <button type="button" class="item" onClick={onOpen}>
        <span class={`bullet${tx.type === "failed" ? " bad" : into ? " in" : ""}`}>
          <Icon name={tx.type === "block" ? "mine" : into ? "receive" : "send"} size={18} />
        </span>
        <span class="grow">
          <span class="title two">{title}</span>
          <span class="sub num wrap">
            {timeOfDay(tx.date)}
            {other && ` \u00b7 ${short(other, 6, 4)}`}
          </span>
        </span>
        <span class="right">
          <Money brief value={tx.amount} sign={into ? "in" : "out"} off={tx.type === "failed"} />
          {words.text && (
            <span style={{ display: "block" }}>
              <span class={`tag ${words.tone}`}>{words.text}</span>
            </span>
          )}
        </span>
      </button>
    </li>
  );
}
