import { dated, relativeDay, t } from "./i18n.js";

/** Returns a date and time in the user's calendar. */
export function moment(date: Date): string {
  return dated(date, { dateStyle: "medium", timeStyle: "short" });
}

/** Returns the time of day. */
export function timeOfDay(date: Date): string {
  return dated(date, { timeStyle: "short" });
}

/** Returns a day as a heading: today, yesterday, or its date. */
export function dayName(date: Date, now = new Date()): string {
  const days = Math.round((midnight(now) - midnight(date)) / 86_400_000);
  if (days === 0) return relativeDay(0);
  if (days === 1) return relativeDay(-1);
  return dated(date, { year: "numeric", month: "short", day: "numeric" });
}

/** Returns when something was, in short: the time of day if that was today, otherwise the day. */
export function shortMoment(date: Date, now = new Date()): string {
  const days = Math.round((midnight(now) - midnight(date)) / 86_400_000);
  if (days === 0) return timeOfDay(date);
  if (days === 1 || date.getFullYear() !== now.getFullYear()) return dayName(date, now);
  return dated(date, { month: "short", day: "numeric" });
}

function midnight(d: Date): number {
  return new Date(d.getFullYear(), d.getMonth(), d.getDate()).getTime();
}

/**
 * Returns when a transfer unlocks: its unlock time is a block index below 500000000, otherwise a POSIX time. "" if it
 * has no lock.
 */
export function unlocks(unlockTime: bigint): string {
  if (unlockTime === 0n) return "";
  return unlockTime < 500_000_000n
    ? t("time.atBlock", { height: unlockTime })
    : moment(new Date(Number(unlockTime) * 1000));
}
