// Measures monero-ts in its own process: it makes a wallet, restores and syncs another, and makes a payment without
// sending it.
import { createRequire } from "node:module";
import { argv } from "node:process";

const [, , folder, daemon, words, to, inWorker] = argv;
const moneroTs = createRequire(`${folder}/`)(folder);
const result = {};
const clock = async (name, act) => {
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const value = await act();
  const used = process.cpuUsage(cpu);
  result[name] = { ms: performance.now() - began, cpu: (used.user + used.system) / 1000 };
  return value;
};
const common = {
  password: "p",
  networkType: moneroTs.MoneroNetworkType.MAINNET,
  proxyToWorker: inWorker === "worker",
  server: { uri: daemon },
};
await clock("first", () => moneroTs.createWalletFull({ ...common }));
const wallet = await moneroTs.createWalletFull({ ...common, seed: words, restoreHeight: 0 });
await clock("sync", () => wallet.sync());
result.memory = process.resourceUsage().maxRSS / 1024;
await clock("transfer", () => wallet.createTx({ accountIndex: 0, address: to, amount: 1_000_000_000n }));
result.balance = String(await wallet.getBalance());
result.height = await wallet.getHeight();
console.log(JSON.stringify(result));
process.exit(0);
