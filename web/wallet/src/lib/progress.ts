/** How far a wallet has read its chain. Heights count blocks. */
export interface Progress {
  height: number;
  target: number;
}

/** Tells the time left from how fast the last blocks went by. Feed it with every report; times are milliseconds. */
export class TimeLeft {
  #reports: { at: number; height: number }[] = [];

  /** Takes a report and returns the milliseconds left, or undefined while that cannot be known. */
  report(at: number, p: Progress): number | undefined {
    const last = this.#reports.at(-1);
    if (last && p.height < last.height) this.#reports = [];
    const latest = { at, height: p.height };
    this.#reports.push(latest);
    // The last half minute, and never fewer than two reports: speed changes with what is in the blocks.
    while (this.#reports.length > 2 && (this.#reports[1] ?? latest).at < at - 30_000) this.#reports.shift();
    const first = this.#reports[0] ?? latest;
    if (at - first.at < 1500 || p.height <= first.height || p.target <= p.height) return undefined;
    return ((at - first.at) / (p.height - first.height)) * (p.target - p.height);
  }
}

/** Says a duration in words, roughly. */
export function duration(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 1) return "less than a minute";
  if (minutes < 90) return plural(Math.round(minutes), "minute");
  const hours = minutes / 60;
  if (hours < 36) return plural(Math.round(hours), "hour");
  return plural(Math.round(hours / 24), "day");
}

/** Returns a count with its noun. */
export function plural(n: number | bigint, noun: string, many = `${noun}s`): string {
  return `${n.toLocaleString("en")} ${Number(n) === 1 ? noun : many}`;
}
