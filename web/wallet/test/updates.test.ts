import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ServiceWorkerUpdates } from "../src/lib/updates.js";

/** A browser with a service worker, as far as the page uses it. */
function browser({ controlled = true, status = 200 as number | Error } = {}) {
  const calls: string[] = [];
  const worker = Object.assign(new EventTarget(), { postMessage: (text: string) => calls.push(text) });
  const registration = Object.assign(new EventTarget(), {
    waiting: null as unknown,
    installing: worker,
    update: async () => void calls.push("update"),
    unregister: async () => void calls.push("unregister"),
  });
  const container = Object.assign(new EventTarget(), {
    controller: controlled ? {} : null,
    register: async (url: string, options: object) => {
      calls.push(`register ${url} ${JSON.stringify(options)}`);
      return registration;
    },
    getRegistrations: async () => [registration],
  });
  const around = {
    container: container as unknown as ServiceWorkerContainer,
    status: async () => {
      if (now.status instanceof Error) throw now.status;
      return now.status;
    },
    forget: async () => void calls.push("forget"),
    reload: () => void calls.push("reload"),
  };
  const now = { status };
  return { calls, worker, registration, container, around, now };
}

const registered = 'register ./sw.js {"updateViaCache":"none"}';

test("a newer version waits for the user, who reloads into it", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "Date"] });
  Object.assign(globalThis, { document: new EventTarget() });
  const b = browser();
  const updates = new ServiceWorkerUpdates(b.around);
  const heard = mock.fn();
  updates.subscribe(heard);
  await updates.start();
  assert.deepEqual(b.calls, [registered]);
  b.registration.dispatchEvent(new Event("updatefound"));
  b.worker.dispatchEvent(new Event("statechange"));
  assert.equal(updates.ready, false, "it is not installed yet");
  b.registration.waiting = b.worker;
  b.worker.dispatchEvent(new Event("statechange"));
  assert.equal(updates.ready, true);
  assert.equal(heard.mock.callCount(), 1);
  updates.apply();
  b.container.dispatchEvent(new Event("controllerchange"));
  assert.deepEqual(b.calls, [registered, "take over", "reload"]);
});

test("a version that another tab chose is offered, not forced", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "Date"] });
  const b = browser();
  const updates = new ServiceWorkerUpdates(b.around);
  await updates.start();
  b.container.dispatchEvent(new Event("controllerchange"));
  assert.deepEqual([updates.ready, b.calls.includes("reload")], [true, false]);
  updates.apply();
  assert.deepEqual(b.calls, [registered, "reload"]);
});

test("the first service worker is not an update", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "Date"] });
  const b = browser({ controlled: false });
  const updates = new ServiceWorkerUpdates(b.around);
  await updates.start();
  b.registration.waiting = b.worker;
  b.worker.dispatchEvent(new Event("statechange"));
  b.container.dispatchEvent(new Event("controllerchange"));
  assert.equal(updates.ready, false);
});

test("it looks every hour, and leaves when the server has no service worker any more", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "Date"] });
  const b = browser();
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  await new ServiceWorkerUpdates(b.around).start();
  t.mock.timers.tick(3_600_000);
  await settled();
  assert.deepEqual(b.calls, [registered, "update"]);
  b.now.status = new Error("offline");
  t.mock.timers.tick(3_600_000);
  await settled();
  assert.deepEqual(b.calls, [registered, "update"], "without a network nothing changes");
  b.now.status = 404;
  t.mock.timers.tick(3_600_000);
  await settled();
  assert.deepEqual(b.calls, [registered, "update", "unregister", "forget"]);

  const gone = browser({ status: 410 });
  await new ServiceWorkerUpdates(gone.around).start();
  assert.deepEqual(gone.calls, ["unregister", "forget"]);
});
