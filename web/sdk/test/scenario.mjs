// What a program does with a wallet, the same with every transport. It runs in Node and in pages.

const elsewhere = "44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A";

function check(holds, text) {
  if (!holds) throw new Error(`the scenario failed: ${text}`);
}

/** Requires the reason of a call's error. */
async function fails(isGlimError, reason, call) {
  const error = await call().then(
    () => undefined,
    (e) => e,
  );
  check(isGlimError(error, reason), `${reason} expected, not ${error?.reason ?? error}: ${error?.message}`);
}

async function aborts(call) {
  const error = await call().then(
    () => undefined,
    (e) => e,
  );
  check(error?.name === "AbortError", `AbortError expected, not ${error}`);
}

/**
 * Runs the scenario. mine(address, blocks) mines. can says what the transport does: several wallets at a time, and
 * stored events, Polyseeds, dates and passphrases. patience is the longest wait, in milliseconds.
 */
export async function scenario({ isGlimError, parseXMR }, glim, mine, can, patience) {
  const refuses = (reason, call) => fails(isGlimError, reason, call);
  const soon = () => ({ signal: AbortSignal.timeout(patience) });
  const until = async (stream, found) => {
    const list = [];
    for await (const event of stream) {
      list.push(event);
      if (found(event)) return list;
    }
    throw new Error("the events ended");
  };

  await refuses("WalletNotFound", () => glim.open("nothing", "p"));
  await refuses("InvalidName", () => glim.create({ name: "a/b", password: "p" }));
  const first = await glim.create({ name: "first", password: "p" });
  check(!first.viewOnly, "it can sign");
  const words = await first.seed();
  check(words.split(" ").length === 25, "the seed has 25 words");
  const [{ address }] = await first.addresses();
  const labelled = await first.newAddress({ label: "a shop's label" });
  check(labelled.index === 1 && labelled.address !== address, "a new address");

  // Receiving: events without a cursor are those from now on.
  const height = first.once("height", soon());
  const received = until(first.events(soon()), (e) => e.type === "unlocked");
  await mine(address, 90);
  const { received: any } = await first.sync();
  check(any, "sync reports that money came");
  check((await height) > 1 && (await first.height()) > 90, "the height is known");
  const incoming = await received;
  check(
    incoming.every((e) => e.direction === "in" && e.coinbase && e.amount > 0n && e.height > 0),
    "they are mining rewards",
  );
  const { total, unlocked } = await first.balance();
  check(total > unlocked && unlocked > parseXMR("2"), "there is money to spend");

  // Refused payments.
  await refuses("InvalidAddress", () => first.send({ to: "nobody", amount: 1n }));
  await refuses("NotEnoughMoney", () => first.send({ to: elsewhere, amount: total + 1n }));
  await refuses("InvalidAmount", () => first.send({ to: elsewhere, amount: 1 }));
  await refuses("WrongTxID", () => first.note("x"));

  // A payment with preview.
  const outgoing = until(first.events(soon()), (e) => e.direction === "out" && e.type === "confirmed");
  const preview = await first.send({ to: `monero:${elsewhere}?tx_amount=1.5&tx_description=a%20roof` });
  check(preview.amount === parseXMR("1.5") && preview.fee > 0n, "the preview has amount and fee");
  check((await first.history({ types: ["out", "pending"] })).length === 0, "nothing is sent yet");
  const [txid] = await preview.confirm();
  check(txid === preview.transactions[0].txid, "the ID of the preview");
  const [pending] = await first.history({ types: ["pending"] });
  check(pending?.txid === txid && pending.amount === parseXMR("1.5"), "the payment is in the history");
  check((await first.note(txid)) === "a roof", "and has its note");
  await mine(address, 1);
  await first.sync();
  const paid = (await outgoing).at(-1);
  check(paid.txid === txid && paid.amount === parseXMR("1.5") && paid.fee === preview.fee, "its event says the same");
  const [out] = await first.history({ types: ["out"] });
  check(out.txid === txid && out.height === paid.height, "it is in a block");

  // Every event once, and again from any cursor on.
  const all = await until(first.events({ cursor: 0n, ...soon() }), (e) => e.cursor >= paid.cursor);
  check(
    all.every((e, i) => i === 0 || e.cursor === all[i - 1].cursor + 1n),
    "events are numbered without gaps",
  );
  const middle = all[all.length >> 1];
  const rest = await until(first.events({ cursor: middle.cursor, ...soon() }), (e) => e.cursor >= paid.cursor);
  check(rest.length === all.length - (all.length >> 1) - 1, "a cursor continues after its event");
  check(rest.at(-1).txid === all.at(-1).txid, "with the same events");

  // Cancelling.
  await aborts(() => first.height({ signal: AbortSignal.abort() }));
  const stop = new AbortController();
  const waiting = first.events({ signal: stop.signal }).next();
  const asked = first.sync({ signal: stop.signal }).catch((e) => check(e.name === "AbortError", String(e)));
  stop.abort();
  await aborts(() => waiting);
  await asked;
  check((await first.height()) > 90, "the wallet goes on");

  // Several wallets, or a clear refusal.
  if (can.several) {
    const second = await glim.create({ name: "second", password: "", kind: "polyseed" });
    check((await second.seed()).split(" ").length === 16, "a Polyseed");
    check((await second.addresses())[0].address !== (await first.addresses())[0].address, "two wallets");
    await second.close();
    check((await first.seed({ passphrase: "x" })) !== words, "an encrypted seed");
  } else {
    await refuses("WalletLimit", () => glim.create({ name: "second", password: "" }));
    await refuses("NotSupported", () => first.seed({ passphrase: "x" }));
  }

  // Closing and opening.
  const end = first.once("closed", soon());
  await first.close();
  await end;
  await refuses("NotOpen", () => first.height());
  await refuses("WrongPassword", () => glim.open("first", "q"));
  const again = await glim.open("first", "p");
  check(again !== first && (await again.addresses())[1].label === "a shop's label", "it is the same wallet");
  if (can.several) {
    const [next] = await until(again.events({ cursor: middle.cursor, ...soon() }), () => true);
    check(next.cursor === rest[0].cursor && next.txid === rest[0].txid, "cursors outlast closing");
  } else {
    await refuses("EventsLost", () => again.events({ cursor: middle.cursor, ...soon() }).next());
  }
  await again.close();

  // Restoring.
  if (!can.several) {
    await refuses("NotSupported", () => glim.create({ name: "second", password: "", kind: "polyseed" }));
    await refuses("NotSupported", () => glim.restore({ name: "restored", password: "", words, date: "2014-04-18" }));
  }
  await refuses("InvalidSeed", () => glim.restore({ name: "restored", password: "", words: "abbey abbey" }));
  const restored = await glim.restore({ name: "restored", password: "", words, height: 0 });
  await restored.sync();
  const list = await restored.history({ types: ["block"] });
  check(list.length === 91, `the restored wallet has ${list.length} of 91 rewards`);
  return { name: "restored", address };
}
