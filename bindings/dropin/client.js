// Drives a wallet service with published clients of monero-wallet-rpc, unchanged, and writes their results: one JSON
// value a line, with its step. Values that differ in every run, such as hashes, are replaced by their kind.
//
// node client.js WALLET_URL DAEMON_URL SEED_WORDS COMMANDS DIR
//
// COMMANDS are the commands that start a wallet service and a daemon of the same kind, as JSON. Their files are in DIR.

const net = require("node:net");
const path = require("node:path");
const moneroTs = require("monero-ts").default || require("monero-ts");
const { Wallet: SmallClient } = require("monero-rpc");

const [walletURL, daemonURL, words, commands, dir] = process.argv.slice(2);
const [walletCommand, daemonCommand] = JSON.parse(commands);
const coin = 1000000000000n;
const patience = 300000; // milliseconds; the time limit of each wait

// plain converts a result of a client to JSON that is equal in two runs.
function plain(value) {
  if (value === undefined) return null;
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return value > 1e9 ? near(BigInt(value)) : value;
  if (typeof value === "bigint") return near(value);
  // Clients also return amounts as text.
  if (typeof value === "string" && /^[0-9]{7,20}$/.test(value)) return near(BigInt(value));
  if (typeof value === "string")
    return /^[0-9a-f]{64,}$/.test(value) || value.length > 200
      ? `<${value.length > 200 ? "long" : value.length}>`
      : value;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return plain(Object.fromEntries([...value].map(([k, v]) => [String(k), v])));
  const source = typeof value.toJson === "function" ? value.toJson() : value;
  const result = {};
  for (const key of Object.keys(source).sort())
    if (!passing.has(key) && source[key] !== undefined) result[key] = plain(source[key]);
  return result;
}

// passing are members that depend on the time or on random decoys, and those that the reference adds after 0.18.5.1.
const passing = new Set([
  "timestamp",
  "receivedTimestamp",
  "lastRelayedTimestamp",
  "weight",
  "size",
  "fullHex",
  "stealthPublicKey",
  "changeAmount",
  "change_amount",
  "kex_is_done",
]);

// near rounds an amount, because fees depend on random decoys.
function near(amount) {
  return amount < 1000000000n
    ? `about ${amount === 0n ? 0 : "nothing"}`
    : `about ${(amount + 5000000000n) / 10000000000n}/100`;
}

async function step(name, action) {
  let line;
  try {
    line = { step: name, answer: plain(await action()) };
  } catch (err) {
    line = {
      step: name,
      refused: { code: typeof err.getCode === "function" ? err.getCode() : null, message: String(err.message ?? err) },
    };
  }
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function daemon(path, body) {
  const answer = await fetch(daemonURL + path, { method: "POST", body: JSON.stringify(body) });
  return answer.json();
}

async function until(done) {
  for (const end = Date.now() + patience; !(await done()); ) {
    if (Date.now() > end) throw new Error("timed out");
    await new Promise((next) => setTimeout(next, 50));
  }
}

// mine adds blocks once the daemon will include all pending transactions in the first one.
async function mine(count, address) {
  await until(async () => ((await daemon("/get_transaction_pool", {})).transactions ?? []).every((tx) => tx.relayed));
  const answer = await daemon("/json_rpc", {
    jsonrpc: "2.0",
    id: "0",
    method: "generateblocks",
    params: { amount_of_blocks: count, wallet_address: address, starting_nonce: 0 },
  });
  if (answer.error) throw new Error(answer.error.message);
}

// sorted sorts a list whose order is not defined.
const sorted = (list) =>
  list
    .map(plain)
    .map((v) => JSON.stringify(v))
    .sort()
    .map((text) => JSON.parse(text));

async function freePort() {
  const server = net.createServer();
  await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return String(port);
}

// startedByClient lets monero-ts start a wallet service and a daemon. It waits for lines that they print.
async function startedByClient() {
  await step("start a wallet service", async () => {
    const port = await freePort();
    const files = ["--wallet-dir", path.join(dir, "started"), "--log-file", path.join(dir, "started-wallet.log")];
    const started = await moneroTs.connectToWalletRpc(
      walletCommand.concat(files, "--rpc-bind-port", port, "--rpc-login", "me:secret", "--offline"),
    );
    const address = started.getRpcConnection().getUri().replace(port, "PORT");
    await started.createWallet({ path: "started", password: "pw" });
    const balance = await started.getBalance();
    return [address, balance, await started.stopProcess()];
  });
  await step("start a daemon", async () => {
    const port = await freePort();
    const files = ["--data-dir", path.join(dir, "started-daemon"), "--log-file", path.join(dir, "started-daemon.log")];
    const started = await moneroTs.connectToDaemonRpc(
      daemonCommand.concat(files, "--rpc-bind-port", port, "--p2p-bind-port", await freePort(), [
        "--regtest",
        "--offline",
        "--no-zmq",
        "--non-interactive",
      ]),
    );
    const address = (await started.getRpcConnection()).getUri().replace(port, "PORT");
    return [address, await started.getHeight(), await started.stopProcess()];
  });
}

async function main() {
  const nobody = "44KEwUHiaF7cKk62hfMGJL8ZAAgzhd9DoVNGmMBb7Bbr2zzwiwd42PxTJC9bakSMoXgYwgqBFwGZpCRrvSUM5qD8C5oVi9L";
  const wallet = await moneroTs.connectToWalletRpc(walletURL);

  // Wallets.
  await step("no wallet is open", () => wallet.getPrimaryAddress());
  await step("languages", () => wallet.getSeedLanguages());
  await step("a wallet that is not there", () => wallet.openWallet("nowhere", "x").catch(() => "refused"));
  await step(
    "restore",
    async () => (await wallet.createWallet({ path: "main", password: "pw", seed: words, restoreHeight: 0 })) && "done",
  );
  await wallet.stopSyncing(); // from here on it refreshes only on request
  await step(
    "restore twice",
    async () => (await wallet.createWallet({ path: "main", password: "pw", seed: words })) && "done",
  );
  await step("synchronise", () => wallet.sync());
  await step("path", () => wallet.getPath());
  await step("connected", () => wallet.isConnectedToDaemon());
  await step("view only", () => wallet.isViewOnly());
  await step("seed", () => wallet.getSeed());
  await step("seed language", () => wallet.getSeedLanguage());
  await step("view key", async () => `${await wallet.getPrivateViewKey()}!`);
  await step("spend key", async () => `${await wallet.getPrivateSpendKey()}!`);
  await step("public keys", async () => [
    await wallet.getPublicViewKey().catch((e) => e.message),
    await wallet.getPublicSpendKey().catch((e) => e.message),
  ]);
  await step("height", () => wallet.getHeight());
  await step("daemon height", () => wallet.getDaemonHeight());
  await step("multisig", () => wallet.getMultisigInfo());

  // Accounts and addresses.
  await step("primary address", () => wallet.getPrimaryAddress());
  await step("create account", () => wallet.createAccount("savings"));
  await step("create subaddress", () => wallet.createSubaddress(1, "shop"));
  await step("label", async () => {
    await wallet.setSubaddressLabel(1, 1, "shop ü");
    return wallet.getSubaddress(1, 1);
  });
  await step("accounts", () => wallet.getAccounts(true));
  await step("account", () => wallet.getAccount(1, true));
  await step("account that is not", () => wallet.getAccount(9));
  await step("subaddresses", () => wallet.getSubaddresses(1));
  await step("subaddress that is not", () => wallet.getSubaddresses(1, [7]));
  await step("address index", async () => wallet.getAddressIndex(await wallet.getAddress(1, 1)));
  await step("address index of another", () => wallet.getAddressIndex(nobody));
  await step("address index of nothing", () => wallet.getAddressIndex("nothing"));
  await step("integrated", () => wallet.getIntegratedAddress(undefined, "03284e41c342f036"));
  await step("integrated, wrong", () => wallet.getIntegratedAddress(undefined, "nope"));
  await step("decode", async () =>
    wallet.decodeIntegratedAddress(
      (await wallet.getIntegratedAddress(undefined, "03284e41c342f036")).getIntegratedAddress(),
    ),
  );
  await step("tags", async () => {
    await wallet.tagAccounts("t", [0, 1]);
    await wallet.setAccountTagLabel("t", "label");
    return wallet.getAccountTags();
  });
  await step("accounts of a tag", () => wallet.getAccounts(false, "t"));
  await step("accounts of no tag", () => wallet.getAccounts(false, "u"));
  await step("untag", async () => {
    await wallet.untagAccounts([0, 1]);
    return wallet.getAccountTags();
  });
  await step("balances", async () => [
    await wallet.getBalance(),
    await wallet.getUnlockedBalance(),
    await wallet.getBalance(0),
    await wallet.getBalance(0, 0),
    await wallet.getNumBlocksToUnlock(),
  ]);

  // Notes, attributes, address book, links.
  await step("attributes", async () => {
    await wallet.setAttribute("k", "v ü");
    return [await wallet.getAttribute("k"), await wallet.getAttribute("none")];
  });
  const somewhere = "ab".repeat(32);
  await step("notes", async () => {
    await wallet.setTxNote(somewhere, "note ü");
    return wallet.getTxNotes([somewhere]);
  });
  await step("address book", async () => [
    await wallet.addAddressBookEntry(nobody, "one"),
    await wallet.addAddressBookEntry(await wallet.getAddress(1, 1), "two"),
    await wallet.getAddressBookEntries(),
  ]);
  await step("edit the address book", async () => {
    await wallet.editAddressBookEntry(0, false, undefined, true, "uno");
    return wallet.getAddressBookEntries([0]);
  });
  await step("entry that is not", () => wallet.getAddressBookEntries([9]));
  await step("delete from the address book", async () => {
    await wallet.deleteAddressBookEntry(0);
    return wallet.getAddressBookEntries();
  });
  await step("delete what is not", () => wallet.deleteAddressBookEntry(9));
  await step("link", () =>
    wallet.getPaymentUri({ address: nobody, amount: coin, note: "for ü & co", recipientName: "x" }),
  );
  await step("read a link", async () =>
    wallet.parsePaymentUri(await wallet.getPaymentUri({ address: nobody, amount: coin, note: "for ü & co" })),
  );
  await step("read no link", () => wallet.parsePaymentUri("nothing"));
  for (const kind of [0, 1]) {
    await step(`sign and verify ${kind}`, async () =>
      wallet.verifyMessage("text", await wallet.getPrimaryAddress(), await wallet.signMessage("text", kind)),
    );
    await step(`verify another text ${kind}`, async () =>
      wallet.verifyMessage("next", await wallet.getPrimaryAddress(), await wallet.signMessage("text", kind)),
    );
  }

  // Transfers and outputs.
  await step("transactions", async () => sorted(await wallet.getTxs()));
  await step("transfers", async () => sorted(await wallet.getTransfers({ isIncoming: true })));
  await step("outputs", async () => sorted(await wallet.getOutputs()));
  await step("outputs of an account", async () => sorted(await wallet.getOutputs({ accountIndex: 1 })));
  await step("transaction that is not", () => wallet.getTx(somewhere));
  await step("fee priority", async () => typeof (await wallet.getDefaultFeePriority().catch(() => 1)));

  // Payments.
  const there = await wallet.getAddress(1, 1);
  let made;
  await step(
    "make a payment",
    async () => (made = await wallet.createTx({ accountIndex: 0, address: there, amount: 2n * coin })),
  );
  await step("relay it", async () => (await wallet.relayTx(made)).length);
  await step("in the pool", async () => sorted(await wallet.getTxs({ inTxPool: true })));
  await mine(1, nobody);
  await step("synchronise once more", () => wallet.sync());
  await step("in a block", () => wallet.getTx(made.getHash()));
  let sent;
  await step(
    "pay several",
    async () =>
      (sent = await wallet.createTx({
        accountIndex: 0,
        destinations: [
          { address: nobody, amount: coin },
          { address: there, amount: coin },
        ],
        relay: true,
        priority: 1,
      })),
  );
  await mine(12, nobody);
  await step("synchronise again", () => wallet.sync());
  await step("paid", () => wallet.getTx(sent.getHash()));
  await step("pay too much", () => wallet.createTx({ accountIndex: 0, address: nobody, amount: 1000000n * coin }));
  await step("pay nobody", () => wallet.createTx({ accountIndex: 0, address: "nobody", amount: coin }));
  await step("pay nothing", () => wallet.createTx({ accountIndex: 0, address: nobody, amount: 0n }));
  await step("pay from nothing", () => wallet.createTx({ accountIndex: 1, address: nobody, amount: 100n * coin }));
  await step("pay several times", () =>
    wallet.createTxs({ accountIndex: 0, address: nobody, amount: coin, canSplit: true }),
  );
  await step(
    "subtract the fee",
    async () =>
      (await wallet
        .createTx({ accountIndex: 0, address: nobody, amount: coin, subtractFeeFrom: [0] })
        .catch(() => undefined)) && null,
  );
  await step("outgoing", async () => sorted(await wallet.getOutgoingTransfers()));
  await step("incoming to an address", async () =>
    sorted(await wallet.getIncomingTransfers({ accountIndex: 1, subaddressIndex: 1 })),
  );

  // Proofs.
  const id = sent.getHash();
  await step("transaction key", async () => wallet.checkTxKey(id, await wallet.getTxKey(id), nobody));
  await step("no transaction key", () => wallet.getTxKey(somewhere));
  await step("malformed hash", () => wallet.getTxKey("x"));
  await step("payment proof", async () =>
    wallet.checkTxProof(id, nobody, "m", await wallet.getTxProof(id, nobody, "m")),
  );
  await step("payment proof, another message", async () =>
    wallet.checkTxProof(id, nobody, "n", await wallet.getTxProof(id, nobody, "m")),
  );
  await step("payment proof, wrong signature", () =>
    wallet.checkTxProof(id, nobody, "m", "OutProofV2wrong").catch(() => "refused"),
  );
  await step("spend proof", async () => wallet.checkSpendProof(id, "m", await wallet.getSpendProof(id, "m")));
  await step("spend proof, another message", async () =>
    wallet.checkSpendProof(id, "n", await wallet.getSpendProof(id, "m")),
  );
  await step("reserve proof", async () =>
    wallet.checkReserveProof(await wallet.getPrimaryAddress(), "m", await wallet.getReserveProofWallet("m")),
  );
  await step("reserve proof of an account", async () =>
    plain(
      (
        await wallet.checkReserveProof(
          await wallet.getPrimaryAddress(),
          "m",
          await wallet.getReserveProofAccount(0, coin, "m"),
        )
      ).getIsGood(),
    ),
  );
  await step("reserve proof of too much", () => wallet.getReserveProofAccount(1, 1000000n * coin, "m"));

  // Outputs and key images.
  const unspent = (await wallet.getOutputs({ isSpent: false, accountIndex: 0 })).filter(
    (o) => !o.getTx().getIsLocked(),
  );
  const image = unspent
    .sort((a, b) => Number(b.getAmount() - a.getAmount()))[0]
    .getKeyImage()
    .getHex();
  await step("freeze", async () => {
    await wallet.freezeOutput(image);
    return wallet.isOutputFrozen(image);
  });
  await step("frozen", async () => (await wallet.getOutputs({ isFrozen: true })).length);
  await step("sweep what is frozen", () => wallet.sweepOutput({ address: nobody, keyImage: image }));
  await step("thaw", async () => {
    await wallet.thawOutput(image);
    return wallet.isOutputFrozen(image);
  });
  await step("freeze what is not", () => wallet.freezeOutput(somewhere));
  await step("freeze nothing", () => wallet.freezeOutput(""));
  const images = (await wallet.exportKeyImages(true)).getKeyImages();
  await step("key images", () => images.length);
  const exported = await wallet.exportOutputs(true);
  await step("outputs exported", () => exported.length > 100);

  // Sweeps.
  await step("sweep one output", () => wallet.sweepOutput({ address: there, keyImage: image, relay: true }));
  await step("sweep dust", () => wallet.sweepDust(false));
  await step(
    "sweep an account",
    async () =>
      (await wallet.sweepUnlocked({ accountIndex: 0, address: there, relay: true })).map(
        (tx) => tx.getIncomingTransfers()?.length ?? 0,
      ).length,
  );
  await step("sweep what is empty", () =>
    wallet.sweepUnlocked({ accountIndex: 0, address: there, relay: true }).then((txs) => txs.length),
  );
  await mine(1, nobody);
  await step("synchronise after sweeping", () => wallet.sync());
  await step("balances after sweeping", async () => [
    await wallet.getBalance(),
    await wallet.getBalance(0),
    await wallet.getBalance(1),
  ]);
  await step("rescan spent", () => wallet.rescanSpent());

  // A listener that polls.
  const heights = [];
  const listener = new (class extends moneroTs.MoneroWalletListener {
    async onNewBlock(height) {
      heights.push(height);
    }
  })();
  await step("listen", async () => {
    await wallet.addListener(listener);
    const before = await wallet.getHeight();
    await mine(2, nobody);
    await wallet.sync();
    await until(() => heights.length >= 2);
    await wallet.removeListener(listener);
    return heights.map((h) => h - before);
  });

  // The small client: its parameters are lists, its methods the old names.
  const small = new SmallClient(walletURL);
  const ask = (method, ...args) =>
    new Promise((resolve, reject) =>
      small[method](...args, (err, answer) => (err ? reject(new Error(String(err))) : resolve(answer))),
    );
  for (const [method, ...args] of [
    ["getAddress"],
    ["getBalance"],
    ["getPayments", "0000000000000000"],
    ["getPayments", "x"],
    ["getBulkPayments", [], 0],
    ["getBulkPayments", ["x"], 0],
  ]) {
    await step(`small client: ${method} ${args}`, async () => {
      const answer = await ask(method, ...args);
      return Array.isArray(answer) ? sorted(answer) : answer;
    });
  }
  await step("small client: no destinations", () => ask("transfer", { destinations: [] }));
  await step("small client: pay too much", () =>
    ask("transfer", { destinations: [{ address: nobody, amount: 1e18 }] }),
  );

  // A view-only wallet.
  const primary = await wallet.getPrimaryAddress(),
    view = await wallet.getPrivateViewKey();
  await step("save", () => wallet.save());
  await step("change the password", async () => {
    await wallet.changePassword("pw", "wp");
    return "done";
  });
  await step("change it with a wrong one", () => wallet.changePassword("pw", "x"));
  await step("close", () => wallet.close(true));
  await step("closed", () => wallet.getBalance());
  await step(
    "watch",
    async () =>
      (await wallet.createWallet({
        path: "watch",
        password: "",
        primaryAddress: primary,
        privateViewKey: view,
        restoreHeight: 0,
      })) && "done",
  );
  await step("synchronise the watcher", () => wallet.sync());
  await step("watches", () => wallet.isViewOnly());
  await step("watched balance", async () => (await wallet.getBalance()) > 0n);
  await step("seed of a watcher", () => wallet.getSeed());
  await step("spend key of a watcher", () => wallet.getPrivateSpendKey());
  await step("import into the watcher", async () =>
    Object.keys((await wallet.importKeyImages(images)).toJson()).sort(),
  );
  await step("spend proof of a watcher", () => wallet.getSpendProof(id, "m"));
  await step(
    "unsigned",
    async () =>
      typeof (await wallet.createTx({ accountIndex: 1, address: nobody, amount: coin })).getTxSet().getUnsignedTxHex(),
  );
  await step("open again", async () => (await wallet.openWallet("main", "wp")) && "done");
  await step("balance, again", () => wallet.getBalance());
  // Last, because they make 0.18.0.0 forget payments.
  await step("scan", () => wallet.scanTxs([id]));
  await step("import key images", async () => Object.keys((await wallet.importKeyImages(images)).toJson()).sort());
  await step("stop mining", () => wallet.stopMining());
  await startedByClient();
  await step("the end", async () => {
    await wallet.close(false);
    return "done";
  });
}

main().then(
  () => process.exit(0),
  (err) => {
    console.error(err);
    process.exit(1);
  },
);
