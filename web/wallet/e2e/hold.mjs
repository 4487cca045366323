// An engine that is slow on purpose, to test what a page shows and allows while it waits.
import { eventually, patience } from "./eventually.mjs";

/** Runs in the page before the app: requests to the engine of a held method wait in the page. */
export function holdable() {
  const held = new Map();
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    const waiting = held.get(message?.type === "call" ? message.method : undefined);
    if (waiting) waiting.push(() => post.call(this, message, ...rest));
    else post.call(this, message, ...rest);
  };
  globalThis.holdRequests = {
    begin: (method) => held.set(method, []),
    count: (method) => held.get(method)?.length ?? 0,
    end: (method) => {
      const waiting = held.get(method) ?? [];
      held.delete(method);
      for (const send of waiting) send();
    },
  };
}

/**
 * Holds the requests of a method until the returned release is called; asked waits until there is a number of them,
 * by default one.
 */
export async function hold(page, method) {
  await page.evaluate((method) => holdRequests.begin(method), method);
  return {
    asked: (count = 1) =>
      page.waitForFunction(([method, count]) => holdRequests.count(method) >= count, [method, count], {
        timeout: patience,
      }),
    release: () => page.evaluate((method) => holdRequests.end(method), method),
  };
}

/**
 * Clicks what starts a method, and checks that a field keeps its value while the engine works with it: otherwise the
 * result would be shown beside something else.
 */
export async function keeps(page, field, method, click) {
  const held = await hold(page, method);
  const before = await field.inputValue();
  await click();
  await held.asked();
  await eventually(() => field.isEditable(), false, `the field can be changed during ${method}`);
  await field.pressSequentially("7");
  await eventually(() => field.inputValue(), before);
  await held.release();
}
