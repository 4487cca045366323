/**
 * The background: asks of sites on their way to a person and back, the engine's page, and the lock. It holds no keys and sees no
 * wallet, and may be put to sleep at any moment: what it must remember is in the browser's storage.
 */
import { browserThread } from "glim";
import { pending } from "./lib/pending.js";
import { Relay } from "./lib/relay.js";
import { Code, mayAsk, readAsk, Refusal, type Grant, type Outcome, type Pending, type SiteMessage, type SiteReply } from "./lib/site.js";
import { sites } from "./lib/sites.js";

type Port = chrome.runtime.Port;

// --- The engine's page. Chromium's background can have no workers, so there it is a page of its own; Firefox's is a page itself.

const hidden = "offscreen" in chrome;
const relay = hidden ? null : new Relay(browserThread);
let making: Promise<void> | null = null;

async function ensureEngine(): Promise<void> {
  if (!hidden || (await hasEngine())) return;
  making ??= chrome.offscreen
    .createDocument({ url: "engine.html", reasons: [chrome.offscreen.Reason.WORKERS], justification: "The wallet's engine scans the chain in workers." })
    .finally(() => (making = null));
  await making;
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
  if (alarm.name === "lock") void lock();
});
void chrome.alarms.create("lock", { periodInMinutes: 1 });

async function lock(): Promise<void> {
  const minutes = await lockAfter();
  if (minutes === 0) return;
  const after = minutes * 60_000;
  if (relay !== null) return void (await relay.rest(after));
  if (!(await hasEngine())) return;
  const over: unknown = await chrome.runtime.sendMessage({ type: "rest", after });
  if (over === true) await chrome.offscreen.closeDocument();
}

// --- Sites.

/** Where a site's pages hear, while this background is awake: by tab. */
const ports = new Map<number, Set<Port>>();

chrome.runtime.onConnect.addListener((port) => {
  if (port.sender?.id !== chrome.runtime.id) return;
  if (port.name === "engine") return relay?.join(port);
  const { origin, tab } = port.sender;
  if (port.name !== "site" || origin === undefined || tab?.id === undefined) return;
  const id = tab.id;
  ports.set(id, (ports.get(id) ?? new Set()).add(port));
  port.onDisconnect.addListener(() => ports.get(id)?.delete(port));
  port.onMessage.addListener((message: SiteMessage) => {
    if (message.type === "ask") void ask(port, origin, id, message);
    else void again(port, origin, id, message.questions);
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
    if ((await pending.all()).some((p) => p.origin === origin && p.outcome === undefined)) {
      throw new Refusal(Code.Busy, "a question of this site waits for an answer already");
    }
    const { method, ...params } = question;
    const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
    const waiting: Pending = { id: crypto.randomUUID(), origin, tab, question: message.question, method, params: texts };
    await pending.put(waiting);
    const window = await chrome.windows.create({ url: `consent.html#${waiting.id}`, type: "popup", width: 400, height: 660, focused: true });
    await pending.put({ ...waiting, window: window?.id });
  } catch (e) {
    reply({ error: e instanceof Refusal ? { code: e.code, message: e.message } : { code: Code.Internal, message: "the wallet could not ask" } });
  }
}

/** A page whose background slept asks for what it still waits for. */
async function again(port: Port, origin: string, tab: number, questions: number[]): Promise<void> {
  const all = await pending.all();
  for (const question of questions) {
    const found = all.find((p) => p.origin === origin && p.tab === tab && p.question === question);
    if (found?.outcome !== undefined) {
      tell(port, { type: "outcome", question, outcome: found.outcome });
      await pending.drop(found.id);
    } else if (found === undefined) {
      tell(port, { type: "outcome", question, outcome: { error: { code: Code.Internal, message: "the question was lost; ask again" } } });
    }
  }
}

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
  const here = [...(ports.get(waiting.tab) ?? [])].filter((p) => p.sender?.origin === waiting.origin);
  if (here.length === 0) return pending.put({ ...waiting, outcome });
  await pending.drop(id);
  for (const port of here) tell(port, { type: "outcome", question: waiting.question, outcome });
}

chrome.windows.onRemoved.addListener(async (window) => {
  const closed = (await pending.all()).find((p) => p.window === window && p.outcome === undefined);
  if (closed !== undefined) await settle(closed.id, { error: { code: Code.Rejected, message: "the person closed the question" } });
});

// A page that is gone waits for nothing.
chrome.tabs.onRemoved.addListener(async (tab) => {
  ports.delete(tab);
  for (const p of await pending.all()) if (p.tab === tab && p.outcome !== undefined) await pending.drop(p.id);
});

async function revoke(origin: string): Promise<void> {
  if (!(await sites.revoke(origin))) return;
  for (const set of ports.values()) for (const port of set) if (port.sender?.origin === origin) tell(port, { type: "disconnected" });
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
