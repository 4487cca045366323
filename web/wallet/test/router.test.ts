import assert from "node:assert/strict";
import { test } from "node:test";
import { Router } from "../src/lib/router.js";

/** The parts of a browser's history that the router uses. Its buttons act at once. */
function browser() {
  let states: unknown[] = [null];
  let at = 0;
  let pop: ((e: { state: unknown }) => void) | undefined;
  const move = (by: number): void => {
    if (states[at + by] === undefined) return;
    at += by;
    pop?.({ state: states[at] });
  };
  const history = {
    pushState: (state: unknown): void => {
      states = [...states.slice(0, at + 1), state];
      at++;
    },
    replaceState: (state: unknown): void => {
      states[at] = state;
    },
    back: () => move(-1),
    forward: () => move(1),
  };
  Object.assign(globalThis, {
    history,
    addEventListener: (_: string, hear: typeof pop) => (pop = hear),
    scrollTo: () => undefined,
  });
  return { ...history, kept: () => JSON.stringify(states) };
}

test("the browser's buttons move between pages and steps of a page", () => {
  const { back, forward, kept } = browser();
  const router = new Router();
  router.go("send", "monero:secret");
  router.step(1);
  assert.deepEqual(router.place, { page: "send", about: "monero:secret", step: 1 });
  back();
  assert.deepEqual(router.place, { page: "send", about: "monero:secret" });
  forward();
  assert.equal(router.place.step, 1);
  router.step(2, true);
  back();
  assert.equal(router.place.step, undefined, "the replaced text is gone");
  forward();
  assert.equal(router.place.step, 2);
  router.back();
  router.back();
  assert.deepEqual(router.place, { page: "home" });
  assert.ok(!kept().includes("secret"), "the browser's history has numbers");
});

test("the back button is disabled while an action runs", () => {
  const { back } = browser();
  const router = new Router();
  router.go("send");
  router.step(1);
  router.hold(true);
  back();
  back();
  assert.deepEqual(router.place, { page: "send", step: 1 });
  router.hold(false);
  back();
  assert.deepEqual(router.place, { page: "send" });
  router.hold(true);
  router.reset();
  router.go("history");
  back();
  assert.deepEqual(router.place, { page: "home" }, "a locked wallet has no spend key");
});
