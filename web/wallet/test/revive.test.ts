import assert from "node:assert/strict";
import { test } from "node:test";
import { watchLoading } from "../src/lib/revive.js";

/** A service worker that says when it was born, if it answers, and a watch with the time at which loading began. */
function watched(born: { at: number | undefined }, begun: number) {
  const asked: unknown[] = [];
  let reloads = 0;
  const controller = {
    postMessage: (text: unknown, [port]: [MessagePort]) => {
      asked.push(text);
      if (born.at !== undefined) port.postMessage(born.at);
      port.close();
    },
  };
  const container = { controller: controller as unknown as ServiceWorker };
  const { end, failed } = watchLoading(container, begun, () => reloads++);
  return { asked, end, failed, reloads: () => reloads };
}
/** Lets messages arrive. */
const arrive = () => new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));

test("a page whose service worker ended while it loads is loaded anew, once", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const born: { at: number | undefined } = { at: 900 };
  const w = watched(born, 1000);
  t.mock.timers.tick(1000);
  await arrive();
  assert.deepEqual([w.asked, w.reloads()], [["born"], 0], "the one that serves the page");
  born.at = undefined; // it is gone, and a question is lost with it
  t.mock.timers.tick(1000);
  await arrive();
  assert.equal(w.reloads(), 0);
  born.at = 2500;
  t.mock.timers.tick(1000);
  await arrive();
  assert.equal(w.reloads(), 1);
  t.mock.timers.tick(5000);
  await arrive();
  assert.deepEqual([w.asked.length, w.reloads()], [3, 1]);
});

test("a page that has loaded, or has no service worker, is left alone", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const w = watched({ at: 2500 }, 1000);
  t.mock.timers.tick(1000);
  w.end(); // while the answer is on its way
  await arrive();
  t.mock.timers.tick(5000);
  await arrive();
  assert.deepEqual([w.asked.length, w.reloads()], [1, 0]);
  const other = { postMessage: () => assert.fail("asked") } as unknown as ServiceWorker;
  const claimed: { controller: ServiceWorker | null } = { controller: null };
  watchLoading(claimed, 1000, () => assert.fail("loaded anew"));
  claimed.controller = other; // the first one, which is installed while the page loads
  t.mock.timers.tick(2000);
  for (const container of [undefined, { controller: null }]) {
    const watch = watchLoading(container, 1000, () => assert.fail("loaded anew"));
    t.mock.timers.tick(2000);
    assert.equal(await watch.failed(), false);
    watch.end();
  }
});

test("a page that fails to load is loaded anew only if its service worker ended", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const same = watched({ at: 900 }, 1000);
  assert.equal(await same.failed(), false);
  assert.equal(await same.failed(), false, "once the watch has ended");
  assert.deepEqual([same.asked.length, same.reloads()], [1, 0]);

  const born: { at: number | undefined } = { at: undefined }; // the question is lost with the worker
  const ended = watched(born, 1000);
  const reloads = ended.failed();
  await arrive();
  born.at = 2500;
  t.mock.timers.tick(1000);
  assert.equal(await reloads, true);
  assert.deepEqual([ended.asked.length, ended.reloads()], [2, 1]);

  const silent = watched({ at: undefined }, 1000);
  const waits = silent.failed();
  t.mock.timers.tick(10_000);
  assert.equal(await waits, false);
  t.mock.timers.tick(10_000);
  assert.deepEqual([silent.asked.length, silent.reloads()], [10, 0]);
});
