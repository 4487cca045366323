/**
 * The background: asks of sites on their way to a person and back, the engine's page, and the lock. It holds no keys and sees no
 * wallet, and may be put to sleep at any moment: what it must remember is in the browser's storage.
 */
import { browserThread } from "glim";
import { answered, atOnce, leftAlone } from "./lib/patience.js";
import { bothers, pending } from "./lib/pending.js";
import { Relay } from "./lib/relay.js";
import { Code, mayAsk, readAsk, Refusal, type Grant, type Outcome, type Pending, type SiteMessage, type SiteReply } from "./lib/site.js";
import { sites } from "./lib/sites.js";

type Port = chrome.runtime.Port;

// --- The engine's page. Chromium's background can have no workers, so there it is a page of its own; Firefox's is a page itself.

const hidden = "offscreen" in chrome;
const relay = hidden ? null : new Relay(browserThread);
let turn: Promise<void> = Promise.resolve();

function ensureEngine(): Promise<void> {
  relay?.expect();
  return hidden ? inTurn(makeEngine) : Promise.resolve();
}

async function makeEngine(): Promise<void> {
  if (await hasEngine()) {
    await chrome.runtime.sendMessage({ type: "expect" });
    return;
  }
  await chrome.offscreen.createDocument({
    url: "engine.html",
    reasons: [chrome.offscreen.Reason.WORKERS],
    justification: "The wallet's engine scans the chain in workers.",
  });
}

/** Makes and closes the engine's page one after the other. */
function inTurn(step: () => Promise<void>): Promise<void> {
  const done = turn.then(step);
  turn = done.catch(() => undefined);
  return done;
}

async function hasEngine(): Promise<boolean> {
  const found = await chrome.runtime.getContexts({ contextTypes: [chrome.runtime.ContextType.OFFSCREEN_DOCUMENT] });
  return found.length > 0;
}

/** Minutes without a page of ours until wallets are closed, as the settings say; 0 is never. */
async function lockAfter(): Promise<number> {
  const { "glim.settings": text } = await chrome.storage.local.get("glim.settings");
  try {
    const { autoLock } = JSON.parse(String(text)) as { autoLock?: unknown };
    return typeof autoLock === "number" ? autoLock : standardLock;
  } catch {
    return standardLock;
  }
}

const standardLock = 10;

chrome.alarms.onAlarm.addListener((alarm) => {
  if (alarm.name !== "lock") return;
  void inTurn(lock);
  void sweep();
});
// Where the engine lives in the background itself, the alarm also keeps it awake: left alone for half a minute it would be ended.
void chrome.alarms.create("lock", { periodInMinutes: hidden ? 1 : 0.25 });

async function lock(): Promise<void> {
  const minutes = await lockAfter();
  if (minutes === 0) return;
  const after = minutes * 60_000;
  if (relay !== null) {
    // With no engine and no page it may sleep; who comes back wakes it, and the alarm begins anew.
    if (await relay.rest(after)) await chrome.alarms.clear("lock");
    return;
  }
  if (!(await hasEngine())) return;
  const over: unknown = await chrome.runtime.sendMessage({ type: "rest", after });
  if (over === true) await chrome.offscreen.closeDocument();
}

// --- Sites.

/** Where a site's pages hear, while this background is awake: by the name of the document. */
const pages = new Map<string, { port: Port; origin: string }>();
/** Sites whose question is on its way to a window this moment. */
const asking = new Set<string>();

chrome.runtime.onConnect.addListener((port) => {
  if (port.sender?.id !== chrome.runtime.id) return;
  if (port.name === "engine") {
    if (relay === null || !port.sender.url?.startsWith(chrome.runtime.getURL(""))) return;
    void chrome.alarms.create("lock", { periodInMinutes: 0.25 });
    return relay.join(port);
  }
  const { tab, frameId, url } = port.sender;
  // The browser says where a page is from, not the page. Frames are not spoken to: a person sees the address of the page alone.
  const origin = port.sender.origin ?? (url === undefined ? undefined : new URL(url).origin);
  if (port.name !== "site" || origin === undefined || tab?.id === undefined || frameId !== 0) return port.disconnect();
  const id = tab.id;
  let name: string | undefined;
  port.onDisconnect.addListener(() => {
    if (name !== undefined && pages.get(name)?.port === port) pages.delete(name);
  });
  port.onMessage.addListener((message: SiteMessage) => {
    // A document has one name, and no other takes it.
    name ??= message.page;
    if (typeof name !== "string" || message.page !== name || (pages.get(name)?.origin ?? origin) !== origin) return port.disconnect();
    pages.set(name, { port, origin });
    if (message.type === "ask") void ask(port, origin, id, message);
    else void again(port, origin, name, message.questions);
  });
});

async function ask(port: Port, origin: string, tab: number, message: Extract<SiteMessage, { type: "ask" }>): Promise<void> {
  const reply = (outcome: Outcome): void => tell(port, { type: "outcome", question: message.question, outcome });
  try {
    if (!mayAsk(origin)) throw new Refusal(Code.Unauthorized, "only pages over https may ask");
    const question = readAsk(message.method, message.params);
    const grant = await sites.of(origin);
    if (question.method === "disconnect") {
      await revoke(origin);
      return reply({ result: null });
    }
    if (grant !== undefined && (question.method === "connect" || question.method === "address")) return reply({ result: visible(grant) });
    if (grant === undefined && question.method !== "connect") throw new Refusal(Code.Unauthorized, "connect first");
    if (asking.has(origin)) throw busy();
    asking.add(origin);
    try {
      if (leftAlone(await bothers.of(origin), Date.now())) throw new Refusal(Code.Busy, "the person said no several times; ask again in a minute");
      await sweep();
      const open = (await pending.all()).filter((p) => p.outcome === undefined);
      if (open.some((p) => p.origin === origin)) throw busy();
      if (open.length + asking.size > atOnce) throw new Refusal(Code.Busy, "questions of other sites wait for an answer already");
      const { method, ...params } = question;
      const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
      const waiting: Pending = { id: crypto.randomUUID(), origin, tab, page: message.page, question: message.question, method, params: texts, since: Date.now() };
      await pending.put(waiting);
      const window = await chrome.windows.create({ url: `consent.html#${waiting.id}`, type: "popup", width: 400, height: 660, focused: true }).catch(async (e: unknown) => {
        await pending.drop(waiting.id);
        throw e;
      });
      // A person may have been faster.
      const still = await pending.get(waiting.id);
      if (still === undefined) return;
      await pending.put({ ...still, window: window?.id });
      if (window?.id !== undefined && !(await isOpen(window.id))) await settle(waiting.id, closedIt);
    } finally {
      asking.delete(origin);
    }
  } catch (e) {
    reply({ error: e instanceof Refusal ? { code: e.code, message: e.message } : { code: Code.Internal, message: "the wallet could not ask" } });
  }
}

/** A page whose background slept asks for what it still waits for. */
async function again(port: Port, origin: string, page: string, questions: number[]): Promise<void> {
  await sweep();
  const all = await pending.all();
  for (const question of questions) {
    const found = all.find((p) => p.origin === origin && p.page === page && p.question === question);
    if (found?.outcome !== undefined) {
      tell(port, { type: "outcome", question, outcome: found.outcome });
      await pending.drop(found.id);
    } else if (found === undefined) {
      tell(port, { type: "outcome", question, outcome: { error: { code: Code.Internal, message: "the question was lost; ask again" } } });
    }
  }
}

const busy = (): Refusal => new Refusal(Code.Busy, "a question of this site waits for an answer already");

function visible(grant: Grant): { address: string; network: string } {
  return { address: grant.address, network: grant.network };
}

function tell(port: Port, reply: SiteReply): void {
  try {
    port.postMessage(reply);
  } catch {
    // The page is gone.
  }
}

/** Brings an outcome to the page that asked; kept for it when it is not there. */
async function settle(id: string, outcome: Outcome): Promise<void> {
  const waiting = await pending.get(id);
  if (waiting === undefined || waiting.outcome !== undefined) return;
  await bothers.put(waiting.origin, answered(await bothers.of(waiting.origin), "result" in outcome, Date.now()));
  const here = pages.get(waiting.page);
  if (here === undefined) {
    await pending.put({ ...waiting, outcome, since: Date.now() });
    // The page may not know that this background has slept.
    await chrome.tabs.sendMessage(waiting.tab, { type: "again" }).catch(() => undefined);
    return;
  }
  await pending.drop(id);
  tell(here.port, { type: "outcome", question: waiting.question, outcome });
}

const closedIt: Outcome = { error: { code: Code.Rejected, message: "the person closed the question" } };

chrome.windows.onRemoved.addListener(async (window) => {
  const closed = (await pending.all()).find((p) => p.window === window && p.outcome === undefined);
  if (closed !== undefined) await settle(closed.id, closedIt);
});

/** How long an answer is kept for a page that slept, and a question whose window never came: in milliseconds. */
const kept = 600_000;

/** Settles what was closed while this background slept, and forgets answers that nobody came for. */
async function sweep(): Promise<void> {
  for (const p of await pending.all()) {
    const old = Date.now() - p.since > kept;
    if (p.outcome !== undefined) {
      if (old) await pending.drop(p.id);
    } else if (p.window === undefined ? old : !(await isOpen(p.window))) {
      await settle(p.id, closedIt);
    }
  }
}

async function isOpen(window: number): Promise<boolean> {
  return chrome.windows.get(window).then(
    () => true,
    () => false,
  );
}
void sweep();

// A page that is gone waits for nothing.
chrome.tabs.onRemoved.addListener(async (tab) => {
  for (const p of await pending.all()) if (p.tab === tab && p.outcome !== undefined) await pending.drop(p.id);
});

async function revoke(origin: string): Promise<void> {
  if (!(await sites.revoke(origin))) return;
  for (const page of pages.values()) if (page.origin === origin) tell(page.port, { type: "disconnected" });
}

// --- What our own pages say.

type OwnMessage =
  | { type: "engine" }
  | { type: "pending"; id: string }
  | { type: "outcome"; id: string; outcome: Outcome; grant?: Grant }
  | { type: "revoke"; origin: string };

chrome.runtime.onMessage.addListener((message: OwnMessage, sender, reply) => {
  // Content scripts have our ID, too, but no address of ours.
  if (sender.id !== chrome.runtime.id || !sender.url?.startsWith(chrome.runtime.getURL(""))) return undefined;
  const work = own(message);
  if (work === undefined) return undefined;
  void work.then(reply, () => reply(undefined));
  return true;
});

function own(message: OwnMessage): Promise<unknown> | undefined {
  switch (message.type) {
    case "engine":
      return ensureEngine().then(() => true);
    case "pending":
      return pending.get(message.id);
    case "outcome":
      return (async () => {
        const waiting = await pending.get(message.id);
        // The site is the one that asked, whatever the page says.
        if (message.grant !== undefined && waiting !== undefined) await sites.grant({ ...message.grant, origin: waiting.origin });
        await settle(message.id, message.outcome);
        return true;
      })();
    case "revoke":
      return revoke(message.origin).then(() => true);
  }
  return undefined;
}
