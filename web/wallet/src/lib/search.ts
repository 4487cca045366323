import type { Transfer } from "./engine.js";
import { format, parse } from "./amount.js";

/** Which transfers of a history to return. Empty members do not restrict it. */
export interface Query {
  text: string;
  direction: "all" | "in" | "out";
  state: "all" | "open" | "done" | "failed";
  /** Days as YYYY-MM-DD, both included. */
  from: string;
  to: string;
}

export const everything: Query = { text: "", direction: "all", state: "all", from: "", to: "" };

/** Returns whether a transfer brings money in. */
export function incoming(t: Pick<Transfer, "type">): boolean {
  return t.type === "in" || t.type === "pool" || t.type === "block";
}

/** Returns the state of a transfer. */
export function state(t: Pick<Transfer, "type" | "locked">): "failed" | "waiting" | "locked" | "done" {
  if (t.type === "failed") return "failed";
  if (t.type === "pool" || t.type === "pending") return "waiting";
  return t.locked ? "locked" : "done";
}

/** Returns the matching transfers, in their order. label returns the label of a transfer. */
export function search(all: readonly Transfer[], query: Query, label: (t: Transfer) => string = () => ""): Transfer[] {
  const words = query.text
    .toLowerCase()
    .split(/\s+/)
    .filter((w) => w !== "");
  const from = query.from === "" ? -Infinity : Date.parse(`${query.from}T00:00:00`);
  const to = query.to === "" ? Infinity : Date.parse(`${query.to}T23:59:59.999`);
  return all.filter((t) => {
    if (query.direction !== "all" && incoming(t) !== (query.direction === "in")) return false;
    const s = state(t);
    if (query.state === "open" && s !== "waiting" && s !== "locked") return false;
    if (query.state === "done" && s !== "done") return false;
    if (query.state === "failed" && s !== "failed") return false;
    if (t.date.getTime() < from || t.date.getTime() > to) return false;
    return words.every((word) => matches(t, word, label(t)));
  });
}

function matches(t: Transfer, word: string, label: string): boolean {
  const texts = [t.txid, t.address, t.note, label, t.paymentID, ...t.destinations.map((d) => d.address)];
  if (texts.some((text) => text.toLowerCase().includes(word))) return true;
  if (t.height > 0 && String(t.height) === word) return true;
  const wanted = parse(word);
  if (!("amount" in wanted)) return false;
  const start = word.replace(",", ".");
  return [t.amount, t.fee, ...t.destinations.map((d) => d.amount)].some(
    (a) => a === wanted.amount || format(a).startsWith(start),
  );
}
