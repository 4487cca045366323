// Runs one of monero-ts's test classes for RPC and writes the result of each test as one JSON value a line.
//
// node suite.js CONFIG
//
// CONFIG is a JSON object with the members of suiteConfig in main.go.

const fs = require("node:fs");
const path = require("node:path");

const config = JSON.parse(process.argv[2]);
const at = (name) => require(path.join(config.suite, name));
const { MoneroNetworkType } = at("dist/index.js");
const TestUtils = at("dist/src/test/utils/TestUtils.js").default;
const StartMining = at("dist/src/test/utils/StartMining.js").default;
const Mocha = at("node_modules/mocha");

// Only addresses, ports and paths differ from the published suite. A private chain uses mainnet's addresses.
TestUtils.NETWORK_TYPE = MoneroNetworkType.MAINNET;
TestUtils.ADDRESS = config.address;
TestUtils.DAEMON_RPC_CONFIG.uri = config.daemon;
TestUtils.WALLET_RPC_CONFIG.uri = config.wallet;
TestUtils.WALLET_RPC_PORT_START = config.firstPort;
TestUtils.MONERO_BINS_DIR = config.programs;
TestUtils.WALLET_RPC_LOCAL_PATH = path.join(config.programs, "monero-wallet-rpc");
TestUtils.DAEMON_LOCAL_PATH = path.join(config.programs, "monerod");
TestUtils.WALLET_RPC_LOCAL_WALLET_DIR = config.wallets;
StartMining.startMining = async (threads) =>
  (await TestUtils.getDaemonRpc()).startMining(config.miner, threads || 1, false, false);

const mocha = new Mocha({
  timeout: config.limit,
  grep: config.only ? new RegExp(config.only) : undefined,
  retries: config.retries,
});
mocha.suite.emit("pre-require", globalThis, null, mocha);
const Tests = at(`dist/src/test/${config.tests}.js`).default;
new Tests({
  liteMode: false,
  testNonRelays: true,
  testRelays: true,
  testNotifications: true,
  testResets: false,
}).runTests();

const write = (result) => fs.appendFileSync(config.results, `${JSON.stringify(result)}\n`);
mocha
  .reporter(function (runner) {
    runner.on("pass", (test) => write({ test: test.title, passed: true }));
    runner.on("fail", (test, err) =>
      write({ test: test.title, passed: false, error: String(err.message ?? err), stack: String(err.stack) }),
    );
  })
  .run(() => process.exit(0)); // the results say what failed
