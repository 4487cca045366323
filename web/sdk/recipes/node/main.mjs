import { formatXMR, Glim } from "glim";

// A private chain in a worker. With a network: { network: "mainnet", daemon: "https://node.example:18089" }.
const glim = await Glim.start({ network: "regtest", daemon: "embedded:", database: "" });
const wallet = await glim.create({ name: "wallet", password: "correct horse" });
const [{ address }] = await wallet.addresses();
await glim.daemon.generateblocks({ amount_of_blocks: 80n, wallet_address: address, starting_nonce: 0 });
await wallet.sync();
const { unlocked } = await wallet.balance();
console.log(`${address} has ${formatXMR(unlocked)} XMR`);
await glim.stop();
