/** What a site's asking has cost a person lately. */
export interface Bother {
  refusals: number;
  /** Of the first of them, milliseconds since 1970. */
  since: number;
}

const minute = 60_000;
const most = 3;

/** Whether a person is left alone: a site that was refused three times within a minute may ask again when the minute is over. */
export function leftAlone(b: Bother | undefined, now: number): boolean {
  return b !== undefined && b.refusals >= most && now - b.since < minute && now >= b.since;
}

/** Returns what is kept after an answer; a yes forgives. */
export function answered(b: Bother | undefined, yes: boolean, now: number): Bother | undefined {
  if (yes) return undefined;
  if (b === undefined || now - b.since >= minute || now < b.since) return { refusals: 1, since: now };
  return { refusals: b.refusals + 1, since: b.since };
}

/** Questions of all sites that may stand before a person at once. */
export const atOnce = 4;
