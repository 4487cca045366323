// Two wallets, a daemon and a payment in one page, without any server.
import { Glim, formatXMR } from "glim";

const say = (text) => (document.querySelector("pre").textContent += `${text}\n`);

try {
  const glim = await Glim.start({ network: "regtest", daemon: "embedded:", database: "example" });
  for (const name of await glim.wallets()) await glim.remove(name); // of the last visit

  const alice = await glim.create({ name: "alice", password: "correct horse" });
  const bob = await glim.create({ name: "bob", password: "battery staple", kind: "polyseed" });
  say(`the seed of bob's wallet: ${await bob.seed()}`);

  const [{ address }] = await alice.addresses();
  const mine = (blocks) =>
    glim.daemon.generateblocks({ amount_of_blocks: blocks, wallet_address: address, starting_nonce: 0 });
  await mine(80n);
  await alice.sync();
  say(`alice has mined ${formatXMR((await alice.balance()).total)} XMR`);

  bob.on("transfer", (e) => say(`event for bob: ${formatXMR(e.amount)} XMR, ${e.type}`));
  const to = await bob.newAddress({ label: "for alice" });
  const preview = await alice.send({ to: to.address, amount: 1_500_000_000_000n });
  say(`the fee is ${formatXMR(preview.fee)} XMR`);
  const [txid] = await preview.confirm();
  await bob.sync(); // it is in the pool
  await mine(10n);
  await Promise.all([alice.sync(), bob.sync()]);
  say(`bob has ${formatXMR((await bob.balance()).unlocked)} XMR`);

  const proof = await alice.proofs.txProof(txid, to.address);
  const { good, received } = await bob.proofs.checkTxProof(txid, to.address, proof);
  say(`alice can prove it: ${good}, ${formatXMR(received)} XMR`);
  await glim.stop();
  document.title = "done";
} catch (error) {
  say(String(error));
  document.title = "failed";
}
