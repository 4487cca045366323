// The same measurement with this package, in Node.
import { argv } from "node:process";

import { Glim } from "../dist/node.js";

const [, , workers, daemon, words, to] = argv;
const result = {};
const clock = async (name, act) => {
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const value = await act();
  const used = process.cpuUsage(cpu);
  result[name] = { ms: performance.now() - began, cpu: (used.user + used.system) / 1000 };
  return value;
};
const glim = await clock("first", async () => {
  const started = await Glim.start({ network: "regtest", daemon, database: "", workers: Number(workers) });
  await started.create({ name: "first", password: "p" });
  return started;
});
await glim.rpc.autoRefresh({ enable: false });
const wallet = await glim.restore({ name: "wallet", password: "p", words });
await clock("sync", () => wallet.sync());
result.memory = process.resourceUsage().maxRSS / 1024;
await clock("transfer", () => wallet.send({ to, amount: 1_000_000_000n }));
result.balance = String((await wallet.balance()).total);
result.height = await wallet.height();
console.log(JSON.stringify(result));
process.exit(0);
