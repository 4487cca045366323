import { format } from "../../../wallet/src/lib/amount.js";
import { oneAtATime } from "./turns.js";
import { after, badge, type News, type Notices, type Unseen } from "./news.js";

const key = "unseen";
const prefix = "payment ";
const inTurn = oneAtATime();

/** Returns how the user wants to learn of incoming payments. */
async function wanted(): Promise<Notices> {
  const { "glim.settings": text } = await chrome.storage.local.get("glim.settings");
  try {
    const { notices } = JSON.parse(String(text)) as { notices?: unknown };
    if (notices === "off" || notices === "plain" || notices === "amounts") return notices;
  } catch {
    // No settings are stored yet.
  }
  return "badge";
}

async function read(): Promise<Unseen[]> {
  const { [key]: list } = await chrome.storage.session.get(key);
  return Array.isArray(list) ? (list as Unseen[]) : [];
}

async function write(list: readonly Unseen[]): Promise<void> {
  await chrome.storage.session.set({ [key]: list });
  const text = badge(list);
  await chrome.action.setBadgeText({ text });
  await chrome.action.setBadgeBackgroundColor({ color: "#0f5e56" });
  await chrome.action.setTitle({ title: text === "" ? "glim" : chrome.i18n.getMessage("newPayments", [text]) });
}

/** Whether the browser lets the extension show notifications. The user allows it with the setting. */
function mayNotify(): Promise<boolean> {
  return chrome.permissions.contains({ permissions: ["notifications"] });
}

/** Whether a page of the extension shows the wallet to the user. */
async function watched(): Promise<boolean> {
  const answer: unknown = await chrome.runtime.sendMessage({ type: "watching" }).catch(() => false);
  return answer === true;
}

/** Tells the user of an incoming payment, as the settings say, unless a page shows it. */
export function tellOf(news: News): Promise<void> {
  return inTurn(async () => {
    const how = await wanted();
    if (how === "off" || (await watched())) return;
    const unseen = after(await read(), news);
    await write(unseen);
    if (how === "badge" || !(await mayNotify())) return;
    const id = prefix + news.txid;
    if (news.stage === "reorganised") {
      await chrome.notifications.clear(id);
      return;
    }
    listen();
    // The same identifier, so that the confirmation replaces what was said before.
    await chrome.notifications.create(id, {
      type: "basic",
      iconUrl: chrome.runtime.getURL("icon-128.png"),
      title: title(news.stage),
      message: how === "amounts" ? `${format(BigInt(news.amount))} XMR` : chrome.i18n.getMessage("openToSee"),
    });
  });
}

const title = (stage: Unseen["stage"]): string => chrome.i18n.getMessage(stage === "pool" ? "onItsWay" : "confirmed");

/** Removes the amounts from notifications of a wallet that was locked. */
export function hideAmounts(wallet: string): Promise<void> {
  return inTurn(async () => {
    if (!(await mayNotify())) return;
    for (const u of await read()) {
      if (u.wallet === wallet)
        await chrome.notifications.update(prefix + u.txid, { message: chrome.i18n.getMessage("openToSee") });
    }
  });
}

/** Removes the badge and all notifications, because the user has seen the payments. */
export function seen(): Promise<void> {
  return inTurn(async () => {
    const unseen = await read();
    if (unseen.length === 0) return;
    await write([]);
    if (!(await mayNotify())) return;
    for (const u of unseen) await chrome.notifications.clear(prefix + u.txid);
  });
}

let listening = false;

/** Opens the wallet when a notification is clicked. Without the permission there is nothing to listen to. */
export function listen(): void {
  if (listening || !chrome.notifications) return;
  listening = true;
  chrome.notifications.onClicked.addListener((id) => {
    if (!id.startsWith(prefix)) return;
    void chrome.notifications.clear(id);
    void chrome.tabs.create({ url: chrome.runtime.getURL("page.html") });
  });
}
