import type { Transfer } from "./engine.js";
import { format } from "./amount.js";
import { incoming } from "./search.js";

/** Returns transfers as comma-separated values, for spreadsheets. Source of the quoting: RFC 4180. */
export function csv(transfers: readonly Transfer[], label: (t: Transfer) => string = () => ""): string {
  const lines = [["date", "type", "amount XMR", "fee XMR", "height", "transaction", "address", "label", "note"]];
  for (const t of transfers) {
    const into = incoming(t);
    const address = into ? t.address : t.destinations.map((d) => d.address).join(" ");
    lines.push([
      t.date.toISOString(),
      t.type,
      (into ? "" : "-") + format(t.amount),
      into ? "" : format(t.fee),
      t.height > 0 ? String(t.height) : "",
      t.txid,
      address,
      label(t),
      t.note,
    ]);
  }
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

function cell(text: string): string {
  // A spreadsheet would read a text that begins like this as a formula. Where it also separates cells with semicolons
  // or tabs, as in many countries, the same holds after one of these, quoted or not. Amounts are numbers and stay
  // unchanged.
  const safe = (
    /^\s*-\d+(\.\d+)?$/.test(text) ? text : text.replace(/^(?=\s*[=+@\-\uff1d\uff0b\uff0d\uff20])/, "'")
  ).replace(/([;\t]["\s]*)(?=[=+@\-\uff1d\uff0b\uff0d\uff20])/g, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
