// A point of sale: the cashier enters an amount, the customer scans the QR code, and the page follows the payment in a
// view-only wallet of a wallet service. The page never has a key.
import { formatXMR, Glim, parseXMR } from "/glim/index.js";

/** How many confirmations a sale of this amount needs; 0 accepts a payment in the pool. */
const confirmations = (amount) => (amount <= parseXMR("0.1") ? 0 : amount <= parseXMR("1") ? 1 : 10);

const connectForm = document.querySelector("#connect");
const saleForm = document.querySelector("#sale");
const button = document.querySelector("monero-pay-button");
const show = (text) => {
  document.querySelector("#state").textContent = text;
};

let wallet;
/** The sale that is shown; paid has the block of each transaction, or 0 in the pool. */
let sale;

connectForm.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { url, username, password, wallet: name } = Object.fromEntries(new FormData(connectForm));
  try {
    const network = document.documentElement.dataset.network ?? "mainnet";
    const glim = await Glim.connect({ network, url, login: { username, password } });
    wallet = await glim.attach(name);
    if (wallet === undefined) throw new Error(`the service has no open wallet ${name}`);
    if (!wallet.viewOnly) throw new Error(`${name} can spend: use a view-only copy of it`);
  } catch (error) {
    return show(String(error));
  }
  wallet.on("transfer", received);
  wallet.on("height", update);
  connectForm.hidden = true;
  saleForm.hidden = false;
  show("ready");
});

saleForm.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { amount, description } = Object.fromEntries(new FormData(saleForm));
  try {
    const asked = parseXMR(amount);
    // A new address for each sale: a payment to it can belong to no other.
    const { address } = await wallet.newAddress({ label: `till: ${description || amount}` });
    sale = { address, amount: asked, paid: new Map() };
    button.setAttribute("address", address);
    button.setAttribute("amount", formatXMR(asked));
    button.setAttribute("description", description);
    button.hidden = false;
    await update();
    await button.pay();
  } catch (error) {
    show(String(error));
  }
});

function received({ type, direction, address, txid, amount, height }) {
  if (address !== sale?.address || direction !== "in") return;
  if (type === "reorganised") sale.paid.delete(txid);
  else sale.paid.set(txid, { amount, height });
  void update();
}

/** Shows the state of the sale. */
async function update() {
  if (sale === undefined) return;
  const { amount, paid } = sale;
  const got = [...paid.values()].reduce((sum, p) => sum + p.amount, 0n);
  if (got < amount) return show(`waiting for ${formatXMR(amount - got)} XMR`);
  const blocks = await wallet.height();
  const least = Math.min(...[...paid.values()].map((p) => (p.height === 0 ? 0 : Math.max(0, blocks - p.height))));
  const needed = confirmations(amount);
  show(least >= needed ? `paid: ${formatXMR(got)} XMR` : `received, ${least} of ${needed} confirmations`);
}
