/** How often a site's requests were rejected lately. */
export interface Bother {
  refusals: number;
  /** Time of the first of these rejections, in milliseconds since 1970. */
  since: number;
}

const minute = 60_000;
const most = 3;

/** Whether a site must wait: after three rejections within a minute it may ask again when that minute is over. */
export function leftAlone(b: Bother | undefined, now: number): boolean {
  return b !== undefined && b.refusals >= most && now - b.since < minute && now >= b.since;
}

/** Returns the new count after an answer; accepting resets it. */
export function answered(b: Bother | undefined, yes: boolean, now: number): Bother | undefined {
  if (yes) return undefined;
  if (b === undefined || now - b.since >= minute || now < b.since) return { refusals: 1, since: now };
  return { refusals: b.refusals + 1, since: b.since };
}

/** The most requests of all sites that may wait for the user at once. */
export const atOnce = 4;
