// A complete payment, using only the package, the same in Node and in a page.

/** Makes the payment on a private chain. Returns what happened, for judge(). */
export async function payment({ Glim, formatXMR }, options) {
  const glim = await Glim.start({
    network: "regtest",
    daemon: "embedded:",
    workers: 1,
    kdf: { time: 1, memory: 64 },
    ...options,
  });
  const alice = await glim.create({ name: "alice", password: "a" });
  const bob = await glim.create({ name: "bob", password: "b", kind: "polyseed" });
  const [{ address }] = await alice.addresses();
  const mine = (blocks) =>
    glim.daemon.generateblocks({ amount_of_blocks: BigInt(blocks), wallet_address: address, starting_nonce: 0 });
  await mine(80);

  const progress = [];
  const heard = [];
  alice.on("transfer", (e) => heard.push(e.type));
  const synced = await alice.sync({ onProgress: (p) => progress.push(p) });
  const before = await alice.balance();

  // After a preview is discarded, nothing has changed.
  const to = await bob.newAddress({ label: "from alice" });
  const discarded = await alice.send({ to: to.address, amount: before.unlocked / 2n });
  discarded.discard();
  const refused = await discarded.confirm().catch((e) => e.kind);
  const { uri } = await alice.rpc.makeUri({ address: to.address, amount: 1_234_567_890_123n, tx_description: "lunch" });
  const preview = await alice.send({ to: uri });
  const unconfirmed = await alice.balance();
  const txids = await preview.confirm();
  const twice = await preview.confirm();
  const [pending] = await alice.history({ types: ["pending"] });
  await mine(10);
  await alice.sync();
  await bob.sync();
  const [out] = await alice.history({ types: ["out"] });
  const [received] = await bob.history();
  const proof = await alice.proofs.txProof(txids[0], to.address, "for bob");
  const checked = await bob.proofs.checkTxProof(txids[0], to.address, proof, "for bob");

  const failures = {};
  const fails = async (name, call) =>
    (failures[name] = await call().then(
      () => "nothing",
      (e) => `${e.name} ${e.kind} ${e.code}`,
    ));
  await fails("password", () => glim.open("alice", "wrong"));
  await fails("money", () => alice.send({ to: to.address, amount: 10n ** 18n }));
  await fails("address", () => alice.send({ to: "nobody", amount: 1n }));
  await fails("again", () => glim.create({ name: "alice", password: "" }));
  await fails("aborted", () => alice.sync({ signal: AbortSignal.abort() }));
  await alice.lock("a");
  await fails("locked", () => alice.send({ to: to.address, amount: 1n }));
  await alice.unlock("a");

  await bob.addressBook.add(address, "alice");
  await bob.label({ account: 0, index: to.index }, "lunch");
  const watch = await bob.watch();
  const watching = await glim.restore({ name: "watch", password: "", ...watch });
  await watching.sync();
  const result = {
    words: (await alice.seed()).split(" ").length,
    sixteen: (await bob.seed()).split(" ").length,
    wallets: await glim.wallets(),
    same: (await glim.open("alice", "a")) === alice,
    blocks: synced.blocks,
    lastProgress: progress.at(-1),
    // "pool" is seen only if a refresh happens at the right moment
    heard: [...new Set(heard)].filter((type) => type !== "pool").sort(),
    fee: preview.fee,
    amount: preview.amount,
    kept: before.total === unconfirmed.total,
    refused,
    sent: txids.length === 1 && txids[0] === twice[0] && txids[0] === preview.transactions[0].txid,
    pending: [pending?.txid === txids[0], pending?.amount],
    out: [
      out.txid === txids[0],
      out.amount,
      out.fee === preview.fee,
      out.note,
      out.confirmations,
      out.destinations[0].address === to.address,
    ],
    received: [received.txid === txids[0], received.amount, received.type, received.indices[0] === to.index],
    bob: formatXMR((await bob.balance()).unlocked),
    watched: formatXMR((await watching.balance()).total),
    checked: [checked.good, checked.received],
    book: (await bob.addressBook.list()).map((c) => [c.index, c.description]),
    labels: (await bob.addresses()).map((a) => a.label),
    failures,
  };
  await glim.stop();
  result.afterwards = await alice.height().catch((e) => e.kind);
  return result;
}

/** Checks the result of payment(). */
export function judge(assert, r) {
  assert.deepEqual([r.words, r.sixteen], [25, 16]);
  assert.deepEqual(r.wallets, ["alice", "bob", "watch"]);
  assert.ok(r.same, "opening an open wallet returns the same object");
  assert.equal(r.blocks, 80);
  assert.deepEqual([r.lastProgress.height, r.lastProgress.target, r.lastProgress.done], [81, 81, 1]);
  assert.deepEqual(r.heard, ["confirmed", "unlocked"]);
  assert.ok(r.fee > 0n && r.fee < 10n ** 11n, String(r.fee));
  assert.equal(r.amount, 1_234_567_890_123n);
  assert.ok(r.kept, "a preview reserves nothing");
  assert.equal(r.refused, "aborted");
  assert.ok(r.sent);
  assert.deepEqual(r.pending, [true, 1_234_567_890_123n]);
  assert.deepEqual(r.out, [true, 1_234_567_890_123n, true, "lunch", 10, true]);
  assert.deepEqual(r.received, [true, 1_234_567_890_123n, "in", true]);
  assert.equal(r.bob, "1.234567890123");
  assert.equal(r.watched, "1.234567890123");
  assert.deepEqual(r.checked, [true, 1_234_567_890_123n]);
  assert.deepEqual(r.book, [[0, "alice"]]);
  assert.deepEqual(r.labels, ["Primary account", "lunch"]);
  assert.deepEqual(r.failures, {
    password: "GlimError contract -22",
    money: "GlimError contract -17",
    address: "GlimError contract -2",
    again: "GlimError contract -21",
    aborted: "AbortError undefined 20",
    locked: "GlimError contract -52",
  });
  assert.equal(r.afterwards, "aborted");
}
