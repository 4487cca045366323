/**
 * The background: it passes requests of sites to the user and the outcomes back, keeps the engine's page, and locks
 * wallets. It holds no keys and sees no wallet. The browser may stop it at any moment, so what it must remember is in
 * the browser's storage.
 */
import { browserThread } from "glim";
import { belongs, networkOf } from "./lib/address.js";
import { links, readLink } from "./lib/link.js";
import { atOnce, leftAlone } from "./lib/patience.js";
import { readNews, type News } from "./lib/news.js";
import { hideAmounts, listen, seen, tellOf } from "./lib/notify.js";
import { bothers, pending } from "./lib/pending.js";
import { Relay } from "./lib/relay.js";
import {
  Code,
  mayAsk,
  readAsk,
  Refusal,
  type Grant,
  type Outcome,
  type Pending,
  type SiteMessage,
  type SiteReply,
} from "./lib/site.js";
import { sites } from "./lib/sites.js";
import { oneAtATime } from "./lib/turns.js";

type Port = chrome.runtime.Port;

// --- The engine's page. Chromium's background is a service worker, which cannot start workers, so the engine gets an
// offscreen page. Firefox's background is a page itself.

const hidden = "offscreen" in chrome;
const relay = hidden
  ? null
  : new Relay(browserThread, Date.now, {
      event: (wallet, event) => {
        const news = readNews(wallet, event);
        if (news) void tellOf(news);
      },
      closed: (wallet) => void hideAmounts(wallet),
    });
/** Opens and closes the engine's page one at a time. */
const inTurn = oneAtATime();

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

async function hasEngine(): Promise<boolean> {
  const found = await chrome.runtime.getContexts({ contextTypes: [chrome.runtime.ContextType.OFFSCREEN_DOCUMENT] });
  return found.length > 0;
}

/**
 * Returns after how many minutes without an open page of the extension wallets are locked, as the settings say; 0 means
 * never.
 */
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
// Where the engine runs in the background itself, the alarm also keeps the background alive: the browser stops it after
// half a minute without an event.
void chrome.alarms.create("lock", { periodInMinutes: hidden ? 1 : 0.25 });

async function lock(): Promise<void> {
  const minutes = await lockAfter();
  if (minutes === 0) return;
  const after = minutes * 60_000;
  if (relay !== null) {
    // Without an engine and a page the background may be stopped. A page that connects starts it and the alarm again.
    if (await relay.rest(after)) await chrome.alarms.clear("lock");
    return;
  }
  if (!(await hasEngine())) return;
  const over: unknown = await chrome.runtime.sendMessage({ type: "rest", after });
  if (over === true) await chrome.offscreen.closeDocument();
}

// --- Sites.

/** The connected pages of sites, by the identifier of the document, since this background started. */
const pages = new Map<string, { port: Port; origin: string }>();
/** The origins of requests whose window is being opened. */
const asking = new Set<string>();

chrome.runtime.onConnect.addListener((port) => {
  if (port.sender?.id !== chrome.runtime.id) return;
  if (port.name === "engine") {
    if (relay === null || !port.sender.url?.startsWith(chrome.runtime.getURL(""))) return;
    void chrome.alarms.create("lock", { periodInMinutes: 0.25 });
    return relay.join(port);
  }
  const { tab, frameId, url } = port.sender;
  // The origin comes from the browser, not from the page. Frames are ignored: the user sees only the address of the
  // page itself.
  const origin = port.sender.origin ?? (url === undefined ? undefined : new URL(url).origin);
  if (port.name !== "site" || origin === undefined || tab?.id === undefined || frameId !== 0) return port.disconnect();
  const id = tab.id;
  let name: string | undefined;
  port.onDisconnect.addListener(() => {
    if (name !== undefined && pages.get(name)?.port === port) pages.delete(name);
  });
  port.onMessage.addListener((message: SiteMessage) => {
    // A document keeps its identifier, and a page of another origin cannot use it.
    name ??= message.page;
    if (typeof name !== "string" || message.page !== name) return port.disconnect();
    if ((pages.get(name)?.origin ?? origin) !== origin) return port.disconnect();
    pages.set(name, { port, origin });
    if (message.type === "ask") void ask(port, origin, id, message);
    else void again(port, origin, name, message.questions);
  });
});

type AskMessage = Extract<SiteMessage, { type: "ask" }>;

async function ask(port: Port, origin: string, tab: number, message: AskMessage): Promise<void> {
  const reply = (outcome: Outcome): void => tell(port, { type: "outcome", question: message.question, outcome });
  try {
    if (!mayAsk(origin)) throw new Refusal(Code.Unauthorized, "only pages loaded over https can use the wallet");
    const question = readAsk(message.method, message.params);
    const grant = await sites.of(origin);
    if (question.method === "disconnect") {
      await revoke(origin);
      return reply({ result: null });
    }
    if (grant !== undefined && (question.method === "connect" || question.method === "address")) {
      return reply({ result: visible(grant) });
    }
    if (grant === undefined && question.method !== "connect") throw new Refusal(Code.Unauthorized, "connect first");
    if (grant !== undefined && "address" in question) {
      const network = networkOf(question.address);
      if (network === undefined || !belongs(network, grant.network))
        throw new Refusal(Code.Invalid, "the address belongs to another network");
    }
    if (asking.has(origin)) throw busy();
    asking.add(origin);
    try {
      const { method, ...params } = question;
      await show(origin, tab, message, method, params);
    } finally {
      asking.delete(origin);
    }
  } catch (e) {
    const { code, message } =
      e instanceof Refusal ? e : new Refusal(Code.Internal, "the wallet could not show the request");
    reply({ error: { code, message } });
  }
}

/**
 * Opens the window in which the user answers a request. It throws a Refusal if the site or all sites together ask too
 * often.
 */
async function show(
  origin: string,
  tab: number,
  message: { page: string; question: number },
  method: Pending["method"],
  params: object,
): Promise<void> {
  if (leftAlone(await bothers.of(origin), Date.now())) {
    throw new Refusal(Code.Busy, "the user rejected several requests; try again in a minute");
  }
  await sweep();
  const open = (await pending.all()).filter((p) => p.outcome === undefined);
  if (open.some((p) => p.origin === origin)) throw busy();
  if (open.length + asking.size > atOnce)
    throw new Refusal(Code.Busy, "too many requests of other sites are waiting for an answer");
  const waiting: Pending = {
    id: crypto.randomUUID(),
    origin,
    tab,
    page: message.page,
    question: message.question,
    method,
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
    since: Date.now(),
  };
  await pending.put(waiting);
  const url = `consent.html#${waiting.id}`;
  const window = await chrome.windows
    .create({ url, type: "popup", width: 400, height: 660, focused: true })
    .catch(async (e: unknown) => {
      await pending.drop(waiting.id);
      throw e;
    });
  // The user may have answered, or closed the window, before its number is known here.
  if (!(await pending.shownIn(waiting.id, window?.id))) return;
  if (window?.id !== undefined && !(await isOpen(window.id))) await settle(waiting.id, closedIt);
}

/** Opens the window for a payment link that the user clicked on a page. The page does not learn what becomes of it. */
async function openLink({ tab, frameId, origin, url }: chrome.runtime.MessageSender, href: unknown): Promise<void> {
  const site = origin ?? (url === undefined ? "" : new URL(url).origin);
  if (tab?.id === undefined || frameId !== 0 || !mayAsk(site) || !(await links.wanted())) return;
  const open = (await pending.all()).find((p) => p.origin === site && p.outcome === undefined);
  if (open?.window !== undefined) {
    await chrome.windows.update(open.window, { focused: true }).catch(() => undefined);
    return;
  }
  if (asking.has(site)) return;
  asking.add(site);
  try {
    let params: object;
    try {
      params = readLink(String(href));
    } catch {
      params = { problem: "invalid" };
    }
    await show(site, tab.id, { page: "", question: 0 }, "link", params);
  } finally {
    asking.delete(site);
  }
}

/** Answers a page that connected again after the background was stopped, and lists the requests it still waits for. */
async function again(port: Port, origin: string, page: string, questions: number[]): Promise<void> {
  await sweep();
  const all = await pending.all();
  for (const question of questions) {
    const found = all.find((p) => p.origin === origin && p.page === page && p.question === question);
    if (found?.outcome !== undefined) {
      tell(port, { type: "outcome", question, outcome: found.outcome });
      await pending.drop(found.id);
    } else if (found === undefined) {
      const lost = { code: Code.Internal, message: "the request was lost; send it again" };
      tell(port, { type: "outcome", question, outcome: { error: lost } });
    }
  }
}

const busy = (): Refusal => new Refusal(Code.Busy, "a request of this site is already waiting for an answer");

function visible(grant: Grant): { address: string; network: string } {
  return { address: grant.address, network: grant.network };
}

function tell(port: Port, reply: SiteReply): void {
  try {
    port.postMessage(reply);
  } catch {
    // The page was closed.
  }
}

/**
 * Records an outcome and sends it to the page that asked. If that page is not connected, the outcome is kept for it.
 */
async function settle(id: string, outcome: Outcome): Promise<void> {
  const settled = await pending.settle(id, outcome);
  if (settled === undefined) return;
  if (settled.method === "link") return pending.drop(id);
  const here = pages.get(settled.page);
  if (here === undefined) {
    // The page may not have noticed that the background was stopped.
    await chrome.tabs.sendMessage(settled.tab, { type: "again" }).catch(() => undefined);
    return;
  }
  tell(here.port, { type: "outcome", question: settled.question, outcome });
  await pending.drop(id);
}

const closedIt: Outcome = { error: { code: Code.Rejected, message: "the user closed the window" } };

chrome.windows.onRemoved.addListener(async (window) => {
  const closed = (await pending.all()).find((p) => p.window === window && p.outcome === undefined);
  if (closed !== undefined) await settle(closed.id, closedIt);
});

/**
 * How long the outcome is kept for a page that is not connected, and a request whose window never opened, in
 * milliseconds.
 */
const kept = 600_000;

/**
 * Settles requests whose window was closed while the background was stopped, and drops outcomes that no page fetched.
 */
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

// A closed tab fetches no outcome.
chrome.tabs.onRemoved.addListener(async (tab) => {
  for (const p of await pending.all()) if (p.tab === tab && p.outcome !== undefined) await pending.drop(p.id);
});

async function revoke(origin: string): Promise<void> {
  if (!(await sites.revoke(origin))) return;
  for (const page of pages.values()) if (page.origin === origin) tell(page.port, { type: "disconnected" });
}

// --- Notifications of incoming payments.

listen();
chrome.permissions.onAdded.addListener(listen);

// --- Messages of the extension's own pages.

type OwnMessage =
  | { type: "engine" }
  | { type: "pending"; id: string }
  | { type: "outcome"; id: string; outcome: Outcome; grant?: Grant }
  | { type: "revoke"; origin: string }
  | { type: "news"; news: News }
  | { type: "closed"; wallet: string }
  | { type: "seen" };

chrome.runtime.onMessage.addListener((message: OwnMessage | { type: "link"; href: unknown }, sender, reply) => {
  if (message.type === "link") {
    void openLink(sender, message.href).catch(() => undefined);
    return undefined;
  }
  // Content scripts have the extension's ID as well, but not an address of the extension.
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
        // The origin is that of the request, whatever the page sends.
        if (message.grant !== undefined && waiting !== undefined) {
          await sites.grant({ ...message.grant, origin: waiting.origin });
        }
        await settle(message.id, message.outcome);
        return true;
      })();
    case "revoke":
      return revoke(message.origin).then(() => true);
    case "news":
      return tellOf(message.news).then(() => true);
    case "closed":
      return hideAmounts(message.wallet).then(() => true);
    case "seen":
      return seen().then(() => true);
  }
  return undefined;
}
