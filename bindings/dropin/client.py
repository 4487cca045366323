"""Drives a wallet service with the published monero-python, unchanged, and writes its results: one JSON value a line, with
its step. Values that differ in every run, such as hashes, are replaced by their kind.

    python3 client.py WALLET_URL DAEMON_URL

The service must have a funded wallet open.
"""

import json
import logging
import re
import sys
import time
import urllib.parse
import urllib.request
from datetime import datetime
from decimal import Decimal

from monero.backends.jsonrpc import JSONRPCDaemon, JSONRPCWallet
from monero.daemon import Daemon
from monero.transaction import Payment, Transaction
from monero.wallet import Wallet

WALLET, DAEMON = (urllib.parse.urlsplit(url) for url in sys.argv[1:3])
NOBODY = "44KEwUHiaF7cKk62hfMGJL8ZAAgzhd9DoVNGmMBb7Bbr2zzwiwd42PxTJC9bakSMoXgYwgqBFwGZpCRrvSUM5qD8C5oVi9L"
PATIENCE = 300  # seconds; the time limit of each wait


def plain(value):
    """Converts a result of the client to JSON that is equal in two runs."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, (Decimal, float)):
        return "about %.2f" % value  # fees depend on random decoys
    if isinstance(value, datetime):
        return "a time"
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {str(k): plain(value[k]) for k in sorted(value)}
    if isinstance(value, Payment):
        return {n: plain(getattr(value, n)) for n in ("payment_id", "amount", "note", "transaction", "local_address")}
    if isinstance(value, Transaction):
        line = {n: plain(getattr(value, n)) for n in ("hash", "height", "confirmations")}
        return {**line, "fee": "a fee" if value.fee else None}
    text = re.sub(r"[0-9a-f]{64,}", lambda m: "<%d>" % len(m[0]) if len(m[0]) <= 200 else "<long>", str(value))
    return text if len(text) <= 400 else "<long>"


def step(name, action):
    """Writes the result or the error of an action, and returns the result."""
    line, result = {"step": name}, None
    try:
        result = action()
        line["answer"] = plain(result)
    except Exception as refused:
        line["refused"] = [type(refused).__name__, plain(str(refused))]
    print(json.dumps(line), flush=True)
    return result


def post(path, body):
    with urllib.request.urlopen(DAEMON.geturl() + path, json.dumps(body).encode(), PATIENCE) as answer:
        return json.load(answer)


def mine(count):
    """Adds blocks once the daemon will include all pending transactions in the first one."""
    end = time.monotonic() + PATIENCE
    while not all(tx["relayed"] for tx in post("/get_transaction_pool", {}).get("transactions", [])):
        if time.monotonic() > end:
            raise TimeoutError("timed out")
        time.sleep(0.05)
    params = {"amount_of_blocks": count, "wallet_address": NOBODY, "starting_nonce": 0}
    post("/json_rpc", {"jsonrpc": "2.0", "id": "0", "method": "generateblocks", "params": params})


def main():
    logging.disable(logging.CRITICAL)
    backend = JSONRPCWallet(host=WALLET.hostname, port=WALLET.port, timeout=PATIENCE)
    backend.raw_request("refresh", {})
    wallet = Wallet(backend)
    main_account = wallet.accounts[0]

    step("height", wallet.height)
    step("seed", lambda: wallet.seed().phrase)
    step("view key", lambda: wallet.view_key())
    step("spend key", lambda: wallet.spend_key())
    step("address", wallet.address)
    step("balances", wallet.balances)
    step("unlocked", lambda: wallet.balance(unlocked=True))
    step("new address", lambda: wallet.new_address(label="shop"))
    step("addresses", wallet.addresses)
    step("an address", lambda: wallet.get_address(1, 2))
    savings = step("new account", lambda: wallet.new_account(label="savings").index)
    step("accounts", lambda: [(a.index, a.label, a.balances()) for a in Wallet(backend).accounts])
    step("balance of addresses", wallet.address_balance)
    step("no such account", lambda: backend.addresses(account=9))
    step("integrated", lambda: wallet.address().with_payment_id(0x03284E41C342F036))

    step("incoming", wallet.incoming)
    step("incoming, some", lambda: wallet.incoming(min_height=20, max_height=22))
    step("incoming to an address", lambda: wallet.incoming(local_address=wallet.addresses()[1]))
    step("incoming with a payment ID", lambda: wallet.incoming(payment_id="03284e41c342f036"))
    step("incoming without one", lambda: wallet.incoming(payment_id=0))
    step("outgoing", wallet.outgoing)
    step("no such transaction", lambda: wallet.incoming(tx_id="ab" * 32))

    there = wallet.accounts[savings].address()
    sent = step("pay", lambda: wallet.transfer(there, Decimal("2.5")))
    step("on its way", lambda: wallet.outgoing(unconfirmed=True))
    step("on its way there", lambda: wallet.accounts[savings].incoming(unconfirmed=True))
    mine(1)
    backend.raw_request("refresh", {})
    step("paid", lambda: wallet.outgoing(tx_id=sent[0].hash))
    step("received", lambda: wallet.accounts[savings].incoming(tx_id=sent[0].hash))
    step("confirmations", lambda: wallet.confirmations(sent[0]))
    step("balances there", lambda: wallet.accounts[savings].balances())
    step("pay several", lambda: wallet.transfer_multiple([(NOBODY, Decimal(1)), (there, Decimal("0.25"))], priority=2))
    step("do not relay", lambda: [type(tx.blob).__name__ for tx in wallet.transfer(NOBODY, Decimal(1), relay=False)])
    step("too much", lambda: wallet.transfer(NOBODY, Decimal(1000000)))
    step("what is locked", lambda: wallet.accounts[savings].transfer(NOBODY, Decimal(1)))
    step("nothing", lambda: wallet.transfer(NOBODY, Decimal(0)))
    step("to nobody", lambda: wallet.transfer("nobody", Decimal(1)))
    step("key images", lambda: len(wallet.export_key_images()))
    step("outputs", lambda: len(wallet.export_outputs()) > 100)
    step("sweep what is locked", lambda: wallet.accounts[savings].sweep_all(NOBODY))
    step("sweep", lambda: main_account.sweep_all(there))
    mine(12)
    backend.raw_request("refresh", {})
    step("balances after", lambda: [a.balances() for a in wallet.accounts])
    step("key images in", lambda: wallet.import_key_images(wallet.export_key_images())[0])
    step("unknown method", lambda: backend.raw_request("nothing"))
    step("wrong type", lambda: backend.raw_request("get_address", {"account_index": "x"}))

    daemon = Daemon(JSONRPCDaemon(host=DAEMON.hostname, port=DAEMON.port, timeout=PATIENCE))
    step("height of the chain", daemon.height)
    step("in a block", lambda: [(tx.hash, tx.height) for tx in daemon.transactions([sent[0].hash])])
    outputs = step("outputs of a payment", lambda: [
        plain(o.payment) is not None for o in daemon.transactions([sent[0].hash])[0].outputs(wallet)])
    if outputs is not None and len(outputs) != 2:
        raise ValueError("a payment has two outputs")


main()
