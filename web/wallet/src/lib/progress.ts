import { t, withUnit } from "./i18n.js";

/** How far a wallet has scanned its chain, in blocks. */
export interface Progress {
  height: number;
  target: number;
}

/**
 * Estimates the time left from the speed of the last blocks. Call report with every progress event; times are in
 * milliseconds.
 */
export class TimeLeft {
  #reports: { at: number; height: number }[] = [];

  /** Adds a report and returns the milliseconds left, or undefined while unknown. */
  report(at: number, p: Progress): number | undefined {
    const last = this.#reports.at(-1);
    if (last && p.height < last.height) this.#reports = [];
    const latest = { at, height: p.height };
    this.#reports.push(latest);
    // The last half minute, and at least two reports, because speed depends on the contents of the blocks.
    while (this.#reports.length > 2 && (this.#reports[1] ?? latest).at < at - 30_000) this.#reports.shift();
    const first = this.#reports[0] ?? latest;
    if (at - first.at < 1500 || p.height <= first.height || p.target <= p.height) return undefined;
    return ((at - first.at) / (p.height - first.height)) * (p.target - p.height);
  }
}

/** Returns a rough duration in words. */
export function duration(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 1) return t("progress.lessThanMinute");
  if (minutes < 90) return withUnit(Math.round(minutes), "minute");
  const hours = minutes / 60;
  if (hours < 36) return withUnit(Math.round(hours), "hour");
  return withUnit(Math.round(hours / 24), "day");
}
