// The names of wallets in the consent window.
import assert from "node:assert/strict";

import { button } from "../../wallet/e2e/acts.mjs";
import { closing } from "./chromium.mjs";

/** Has a site ask for a payment, expects the name of the wallet in the window, and declines. */
async function declined({ wallet, page, address, ask, asked }, name) {
  const outcome = ask(page, "pay", { address, amount: "1" });
  const w = await asked();
  await w.getByText(`the wallet ${name}`, { exact: true }).waitFor();
  assert.equal(await w.getByText("till").count(), 0);
  await closing(w, () => w.getByRole("button", { name: "Decline" }).click());
  assert.equal((await outcome).code, 4001);
  await wallet.evaluate(() => chrome.storage.session.clear()); // a site that was refused thrice must wait
}

/** Gives the wallet "till" other names. page is a connected site, and address one that it may ask to pay. */
export async function walletNames(all) {
  const { wallet, open } = all;
  // A name on a private chain, which ends with its page, is only in the wallet's file.
  await wallet.bringToFront();
  await wallet.getByRole("banner").getByRole("button", { name: "Wallet: till" }).click();
  await wallet.getByRole("dialog").getByRole("button", { name: "Rename this wallet" }).click();
  await wallet.getByLabel("Wallet name").fill("Kiosk");
  await button(wallet, "Rename").click();
  await wallet.getByRole("banner").getByRole("button", { name: "Wallet: Kiosk" }).waitFor();
  await declined(all, "Kiosk");

  // The wallet stores the names of other wallets like this.
  await wallet.evaluate(() => chrome.storage.local.set({ "glim.names": JSON.stringify({ "/till": "Corner shop" }) }));
  await declined(all, "Corner shop");
  const list = await open("sites.html");
  await list
    .getByText(/Corner shop/)
    .first()
    .waitFor();
  await list.close();
}
