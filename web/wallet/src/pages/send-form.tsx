import { useEffect, useRef, useState } from "preact/hooks";
import { Button, IconButton } from "../components/button.js";
import { Dialog } from "../components/dialog.js";
import { Check, SelectField, TextField } from "../components/field.js";
import { AmountField, Money } from "../components/money.js";
import { Failed, Notice } from "../components/notice.js";
import { Empty, Head } from "../components/page.js";
import { Scanner } from "../components/scanner.js";
import { format, parse } from "../lib/amount.js";
import { useOpen, useWallet, useWork } from "../lib/context.js";
import { payee, short } from "../lib/payee.js";

/** What a person wants to send. */
export interface Order {
  account: number;
  recipients: readonly Recipient[];
  /** Everything of the account to the one recipient. */
  everything: boolean;
  note: string;
}

export interface Recipient {
  address: string;
  /** As it was typed. */
  amount: string;
  /** What a payment link said about it. */
  name: string;
}

const nobody: Recipient = { address: "", amount: "", name: "" };
const mostRecipients = 15;

/** Recipients, amounts and the account that pays. */
export function SendForm({ about, start, onDone }: { about: string; start: Order | undefined; onDone(order: Order): void }) {
  const { live } = useOpen();

  const [account, setAccount] = useState(start?.account ?? 0);
  const [list, setList] = useState<readonly Recipient[]>(start?.recipients ?? [nobody]);
  const [everything, setEverything] = useState(start?.everything ?? false);
  const [note, setNote] = useState(start?.note ?? "");
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const [tried, setTried] = useState(false);
  const [scanning, scan] = useState<number | undefined>(undefined);
  const [choosing, choose] = useState<number | undefined>(undefined);
  const work = useWork();
  const accounts = useWallet((l) => l.wallet.rpc.getAccounts());
  const own = accounts.data?.subaddress_accounts ?? [];
  const from = own.find((a) => a.account_index === account);
  const began = useRef(false);

  const set = (i: number, part: Partial<Recipient>): void => setList((l) => l.map((r, k) => (k === i ? { ...r, ...part } : r)));

  /** Takes what was typed, pasted or scanned; a payment link fills in what it knows. */
  const take = async (i: number, text: string): Promise<void> => {
    setWrong((w) => w.map((x, k) => (k === i ? "" : x)));
    const p = payee(text);
    set(i, { address: p.kind === "address" ? p.text : text, name: "" });
    if (p.kind === "uri") {
      await work.run(async () => {
        const { uri } = await live.wallet.rpc.parseUri({ uri: p.text });
        set(i, { address: uri.address, name: uri.recipient_name, ...(uri.amount > 0n ? { amount: format(uri.amount) } : {}) });
        if (uri.amount > 0n) setEverything(false);
        if (uri.tx_description) setNote(uri.tx_description);
      });
    }
  };

  useEffect(() => {
    if (began.current || about === "") return;
    began.current = true;
    void take(0, about);
  }, [about]);

  const total = list.reduce((sum, r) => {
    const a = parse(r.amount);
    return sum + ("amount" in a ? a.amount : 0n);
  }, 0n);
  const tooMuch = from !== undefined && !everything && total > from.balance;
  const missing = list.map((r, i) => {
    const a = parse(r.amount);
    return {
      address: r.address.trim() === "" ? "Enter an address, or paste a payment link." : (wrong[i] ?? ""),
      amount: everything ? "" : "problem" in a ? a.problem : a.amount === 0n ? "Enter an amount greater than zero." : "",
    };
  });

  /** Returns what is wrong with an address, or nothing. */
  const problem = async (address: string): Promise<string> => {
    const { valid } = await live.wallet.rpc.validateAddress({ address });
    if (valid) return "";
    const elsewhere = await live.wallet.rpc.validateAddress({ address, any_net_type: true });
    if (elsewhere.valid) return `This address belongs to ${elsewhere.nettype}, another network.`;
    if (payee(address).kind === "uri") return "This payment link cannot be read. Ask for it again.";
    return "This is not a Monero address. Was it copied whole?";
  };

  const review = (e: Event): void => {
    e.preventDefault();
    setTried(true);
    if (missing.some((m) => m.amount || m.address) || tooMuch) return;
    void work.run(async () => {
      const problems = await Promise.all(list.map((r) => problem(r.address)));
      setWrong(problems);
      if (problems.every((p) => p === "")) onDone({ account, recipients: list, everything, note });
    });
  };

  return (
    <form class="stack" onSubmit={review}>
      <Head title="Send" />
      {live.kind.viewOnly && <Notice title="This wallet watches only">The payment is prepared here, signed where the spend key is, and sent from here.</Notice>}
      {live.kind.multisig && <Notice title="Several signers">The payment is made here and goes to the other signers before it can be sent.</Notice>}
      <section class="card stack">
        {own.length > 1 && (
          <SelectField
            label="From"
            value={String(account)}
            onValue={(v) => setAccount(Number(v))}
            options={own.map((a) => [String(a.account_index), `${a.label || `Account ${a.account_index}`} (${format(a.unlocked_balance)} XMR)`])}
          />
        )}
        {from && (
          <p class="row between">
            <span class="muted">Can be spent now</span>
            <span class="strong">
              <Money value={from.unlocked_balance} />
            </span>
          </p>
        )}
      </section>
      {list.map((r, i) => (
        <fieldset key={i} class="card stack">
          <legend class="sr">Recipient {i + 1}</legend>
          {list.length > 1 && (
            <div class="row between">
              <h2>Recipient {i + 1}</h2>
              <IconButton
                small
                icon="cross"
                label={`Remove recipient ${i + 1}`}
                onClick={() => {
                  setList(list.filter((_, k) => k !== i));
                  setWrong(wrong.filter((_, k) => k !== i));
                }}
              />
            </div>
          )}
          <TextField
            label="To"
            mono
            rows={4}
            value={r.address}
            placeholder="Address or payment link"
            onValue={(v) => void take(i, v)}
            error={(tried && missing[i]?.address) || undefined}
            hint={r.name ? `Payment link of ${r.name}` : undefined}
          />
          <div class="row">
            <Button small icon="scan" onClick={() => scan(i)}>
              Scan QR
            </Button>
            <Button small icon="contacts" onClick={() => choose(i)}>
              Address book
            </Button>
          </div>
          {!everything && (
            <AmountField large label="Amount" text={r.amount} onText={(amount) => set(i, { amount })} error={(tried && missing[i]?.amount) || undefined} />
          )}
          {list.length === 1 && (
            <Check checked={everything} onChecked={setEverything}>
              Send everything in this account; the fee is taken from it
            </Check>
          )}
        </fieldset>
      ))}
      {!everything && list.length < mostRecipients && (
        <Button icon="plus" onClick={() => setList([...list, nobody])}>
          Another recipient
        </Button>
      )}
      <TextField label="Note" optional value={note} onValue={setNote} maxLength={1000} hint="Stays in this wallet." />
      {tooMuch && <Notice tone={tried ? "bad" : "warn"}>That is more than this account holds.</Notice>}
      {from && !everything && total <= from.balance && total > from.unlocked_balance && (
        <Notice tone="warn">Part of this is still locked. It can be spent some blocks later.</Notice>
      )}
      <Failed error={work.error} />
      <Button look="primary" block type="submit" busy={work.busy}>
        Review
      </Button>
      {scanning !== undefined && (
        <Scanner
          title="Scan an address"
          onClose={() => scan(undefined)}
          onText={(text) => {
            if (payee(text).kind === "unknown") return "That is neither an address nor a payment link.";
            void take(scanning, text);
            scan(undefined);
            return undefined;
          }}
        />
      )}
      {choosing !== undefined && (
        <Book
          onClose={() => choose(undefined)}
          onChoose={(address) => {
            void take(choosing, address);
            choose(undefined);
          }}
        />
      )}
    </form>
  );
}

function Book({ onChoose, onClose }: { onChoose(address: string): void; onClose(): void }) {
  const { router } = useOpen();
  const book = useWallet((l) => l.wallet.rpc.getAddressBook());
  return (
    <Dialog title="Address book" onClose={onClose}>
      <Failed error={book.error} />
      {book.data?.entries.length === 0 && (
        <Empty title="No addresses yet">
          <Button small onClick={() => router.go("contacts")}>
            Add one
          </Button>
        </Empty>
      )}
      <ul class="list">
        {book.data?.entries.map((e) => (
          <li key={e.index.toString()}>
            <button type="button" class="item" onClick={() => onChoose(e.address)}>
              <span class="grow">
                <span class="title">{e.description || "Without a name"}</span>
                <span class="sub mono">{short(e.address)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
