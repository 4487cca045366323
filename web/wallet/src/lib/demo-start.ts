import { parse } from "./amount.js";
import { keepBackup } from "./backup.js";
import { withTime } from "./block-time.js";
import { names } from "./demo.js";
import type { Engine, EngineWallet } from "./engine.js";
import { failure } from "./errors.js";
import { t } from "./i18n.js";

/** The wallets of the demo. */
export interface DemoWallets {
  own: EngineWallet;
  other: EngineWallet;
}

/** A note of the counterparty's wallet at payments that it has answered. */
export const answered = "answered";

/** Rewards that the counterparty can spend: enough to hide payments among (a ring has 16 members). */
const rewards = 22;
/** Number of blocks until a reward unlocks, and until another output does. Source: cryptonote_config.h. */
const rewardLock = 60;
const lock = 10;

/** What happened before the demo begins: amounts in XMR, with the key of a note, and how many hours before. */
const received = [
  ["12.5", "demo.noteStart", 225],
  ["3.2", "demo.noteRent", 149],
  ["0.75", "demo.noteTickets", 98],
] as const;
const sent = [
  ["0.042", "demo.noteCoffee", 51],
  ["1.1", "demo.noteCake", 23],
] as const;
/** Seconds between blocks. Source: cryptonote_config.h. */
const target = 120;
/** Seconds between the oldest payment and the first block. */
const earlier = (rewards + rewardLock + 1) * target;

/** Makes the chain and both wallets of the demo. It reports progress as a part of 1. */
export async function makeDemo(engine: Engine, progress: (part: number) => void): Promise<DemoWallets> {
  const own = await engine.create({ name: names.own, password: "" });
  const other = await engine.create({ name: names.other, password: "" });
  const total = rewards + rewardLock + received.length + sent.length + 2 * lock;
  let made = 0;
  const { address } = await other.rpc.getAddress();
  const now = Math.floor(Date.now() / 1000);
  const before = (hours: number): number => now - hours * 3600;
  // Every block says when it was made. These say that they were made at the usual pace, beginning at from.
  const mine = async (count: number, from: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const { blocktemplate_blob } = await engine.daemon.getBlockTemplate({
        wallet_address: address,
        reserve_size: 1n,
      });
      await engine.daemon.submitBlock([withTime(blocktemplate_blob, from + i * target)]);
      made++;
      progress(Math.min(1, made / total));
    }
  };
  await mine(rewards + rewardLock, before(received[0][2]) - earlier);

  await other.rpc.refresh();
  const rent = await own.rpc.createAddress({ account_index: 0, label: t("demo.rent") });
  const first = (await own.rpc.getAddress()).address;
  for (const [i, [amount, note, hours]] of received.entries()) {
    await pay(other, own, i === 1 ? rent.address : first, amount, t(note));
    await mine(1, before(hours));
  }
  await mine(lock, before(received[2][2]) + target);
  await own.rpc.refresh();
  await own.rpc.addAddressBook({ address, description: names.other });
  for (const [amount, note, hours] of sent) {
    const txids = await pay(own, own, address, amount, t(note));
    await other.rpc.setTxNotes({ txids, notes: txids.map(() => answered) });
    await mine(1, before(hours));
  }
  await mine(lock, now - lock * target);
  await Promise.all([own, other].map((w) => w.rpc.refresh()));
  await Promise.all([own, other].map(keepBackup)); // nobody needs these seed words
  return { own, other };
}

/** Pays, and stores the note in a wallet. Returns the transaction's IDs. */
async function pay(from: EngineWallet, noted: EngineWallet, to: string, xmr: string, note: string): Promise<string[]> {
  const entry = parse(xmr);
  if (!("amount" in entry)) throw new Error(entry.problem);
  const txids = await (await from.send({ to, amount: entry.amount })).confirm();
  await noted.rpc.setTxNotes({ txids, notes: txids.map(() => note) });
  return txids;
}

/** A page that is being reloaded may hold its wallets and its chain for a moment: this many milliseconds. */
const patience = 10_000;

/** Opens the wallets of the demo. */
export async function openDemo(engine: Engine): Promise<DemoWallets> {
  await engine.daemon.getInfo(); // fails if another page has the chain open
  const until = Date.now() + patience;
  const open = async (name: string): Promise<EngineWallet> => {
    for (;;) {
      try {
        return await engine.open(name, "");
      } catch (e) {
        if (failure(e).reason !== "WalletInUse" || Date.now() > until) throw e;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  };
  return { own: await open(names.own), other: await open(names.other) };
}
