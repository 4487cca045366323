import type { Transfer } from "../lib/engine.js";
import { short } from "../lib/payee.js";
import { incoming, state } from "../lib/search.js";
import { timeOfDay } from "../lib/time.js";
import { Icon } from "./icon.js";
import { Money } from "./money.js";

/** Returns the state of a transfer in words. */
export function stateWords(t: Transfer): { text: string; tone: "" | "warn" | "bad" | "good" } {
  switch (state(t)) {
    case "failed":
      return { text: "Failed", tone: "bad" };
    case "waiting":
      return { text: t.doubleSpendSeen ? "Double spend" : "Pending", tone: t.doubleSpendSeen ? "bad" : "warn" };
    case "locked":
      return { text: incoming(t) ? "Locked" : "Confirming", tone: "warn" };
    case "done":
      return { text: "", tone: "" };
  }
}

/** A transfer in a list. */
export function TransferRow({ transfer: t, label, onOpen }: { transfer: Transfer; label: string; onOpen(): void }) {
  const into = incoming(t);
  const words = stateWords(t);
  const title = t.note || label || (t.type === "block" ? "Mining reward" : into ? "Received" : "Sent");
  const other = into ? t.address : (t.destinations[0]?.address ?? "");
  return (
    <li>
      <button type="button" class="item" onClick={onOpen}>
        <span class={`bullet${t.type === "failed" ? " bad" : into ? " in" : ""}`}>
          <Icon name={t.type === "block" ? "mine" : into ? "receive" : "send"} size={18} />
        </span>
        <span class="grow">
          <span class="title">{title}</span>
          <span class="sub num">
            {timeOfDay(t.date)}
            {other && ` \u00b7 ${short(other, 6, 4)}`}
          </span>
        </span>
        <span class="right">
          <Money brief value={t.amount} sign={into ? "in" : "out"} off={t.type === "failed"} />
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
