import type { Transfer } from "../lib/engine.js";
import { short } from "../lib/payee.js";
import { incoming, state } from "../lib/search.js";
import { shortMoment, timeOfDay } from "../lib/time.js";
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

interface Props {
  transfer: Transfer;
  label: string;
  /** Whether the list shows the day elsewhere. Otherwise a transfer of another day shows its day, not the time. */
  byDay?: boolean;
  onOpen(): void;
}

/** A transfer in a list. */
export function TransferRow({ transfer: tx, label, byDay = false, onOpen }: Props) {
  const into = incoming(tx);
  const words = stateWords(tx);
  const title =
    tx.note ||
    label ||
    (tx.type === "block" ? t("transferRow.miningReward") : into ? t("common.received") : t("common.sent"));
  const other = into ? tx.address : (tx.destinations[0]?.address ?? "");
  return (
    <li>
      <button type="button" class="item transfer" onClick={onOpen}>
        <span class={`bullet${tx.type === "failed" ? " bad" : into ? " in" : ""}`}>
          <Icon name={tx.type === "block" ? "mine" : into ? "receive" : "send"} size={18} />
        </span>
        <span class="grow">
          <span class="title two">{title}</span>
          <span class="sub num wrap">
            {byDay ? timeOfDay(tx.date) : shortMoment(tx.date)}
            {other && (
              <>
                {"\u2003" /* a space, because the address may be on the next line */}
                <span class="whole">{short(other, 6, 4)}</span>
              </>
            )}
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
