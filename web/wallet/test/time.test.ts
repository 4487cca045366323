import assert from "node:assert/strict";
import { test } from "node:test";
import { dayName, shortMoment } from "../src/lib/time.js";

test("a moment in short is the time of today, and otherwise the day", () => {
  const now = new Date(2026, 2, 10, 0, 30);
  assert.match(shortMoment(new Date(2026, 2, 10, 0, 5), now), /^12:05\sAM$/);
  assert.equal(shortMoment(new Date(2026, 2, 9, 23, 55), now), "Yesterday");
  assert.equal(shortMoment(new Date(2026, 2, 8, 12, 0), now), "Mar 8");
  assert.equal(shortMoment(new Date(2025, 11, 31, 12, 0), now), "Dec 31, 2025");
  assert.equal(dayName(new Date(2026, 2, 8, 12, 0), now), "Mar 8, 2026", "a heading has the year");
});
