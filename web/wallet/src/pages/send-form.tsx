import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Address } from "../components/address.js";
import { Button, IconButton } from "../components/button.js";
import { ChosenOutputs, useChosen, type Chosen } from "../components/choose-outputs.js";
import { Dialog } from "../components/dialog.js";
import { Check, SelectField, showFirstError, TextField } from "../components/field.js";
import { Form } from "../components/form.js";
import { FiatEntry } from "../components/fiat.js";
import { AmountField, Money } from "../components/money.js";
import { Failed, Notice } from "../components/notice.js";
import { Empty, Head } from "../components/page.js";
import { Paste } from "../components/sharing.js";
import { Scanner } from "../components/scanner.js";
import { format, parse } from "../lib/amount.js";
import { useOpen, useWallet, useWork } from "../lib/context.js";
import { plain, type Plain } from "../lib/errors.js";
import { useNames, type LookedUp, type Names } from "../lib/openalias.js";
import { nameOf, payee, short } from "../lib/payee.js";
import { accountName } from "../lib/labels.js";
import { duration } from "../lib/progress.js";
import { mayBeSpent } from "../lib/unknown.js";
import { t } from "../lib/i18n.js";
import { Text } from "../components/text.js";

/** What the user wants to send. */
export interface Order {
  account: number;
  recipients: readonly Recipient[];
  /** Everything in the account goes to the one recipient. */
  everything: boolean;
  /** The only outputs that may be spent; undefined for any. */
  outputs: Chosen | undefined;
  note: string;
}

export interface Recipient {
  /** As typed: an address or a name. */
  address: string;
  /** What the name stands for, in an order; undefined for an address. */
  alias: LookedUp | undefined;
  /** As typed. */
  amount: string;
  /** The recipient's name in a payment link. */
  name: string;
}

const empty: Recipient = { address: "", alias: undefined, amount: "", name: "" };
/** Returns the address that is paid. */
export const paidAddress = (r: Recipient): string => r.alias?.address ?? r.address;
const mostRecipients = 15;
const blockTime = 120_000;

/** Recipients, amounts and the paying account. */
export function SendForm({
  about,
  start,
  onDone,
}: {
  about: string;
  start: Order | undefined;
  onDone(order: Order): void;
}) {
  const { live, router } = useOpen();

  const [account, setAccount] = useState(start?.account ?? 0);
  const [list, setList] = useState<readonly Recipient[]>(start?.recipients ?? [empty]);
  const [everything, setEverything] = useState(start?.everything ?? false);
  const [outputs, setOutputs] = useState(start?.outputs);
  const chosen = useChosen(account, outputs);
  const [note, setNote] = useState(start?.note ?? "");
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const [tried, setTried] = useState(false);
  const [scanning, scan] = useState<number | undefined>(undefined);
  const [choosing, choose] = useState<number | undefined>(undefined);
  const work = useWork();
  /** How many payment links the engine is reading, and the last one that it could not read. */
  const [reading, read] = useState(0);
  const [unread, setUnread] = useState<{ address: string; error: Plain } | undefined>(undefined);
  /** What is entered now, for what was begun before. */
  const now = useRef({ account, list, everything, outputs, note });
  now.current = { account, list, everything, outputs, note };
  const accounts = useWallet((l) => l.wallet.rpc.getAccounts());
  const own = accounts.data?.subaddress_accounts ?? [];
  const from = own.find((a) => a.account_index === account);
  const names = useNames((start?.recipients ?? []).flatMap((r) => r.alias ?? []));
  /** The name that a text is, if names can be looked up here. */
  const nameIn = (text: string): string | undefined => {
    const p = payee(text);
    return p.kind === "name" && names.possible ? p.text : undefined;
  };
  const unlock = useWallet((l) => l.wallet.rpc.getBalance({ account_index: account }), [account]);
  const unknown = useWallet(async (l) => (l.kind.viewOnly ? mayBeSpent(l.wallet, [account]) : 0n), [account]);
  const unsure = live.kind.viewOnly && unknown.data !== 0n;
  const book = useWallet((l) => l.wallet.rpc.getAddressBook());
  const locked = from ? from.balance - from.unlocked_balance : 0n;
  const wait = Number(unlock.data?.blocks_to_unlock ?? 0n);
  const began = useRef(false);

  const set = (i: number, part: Partial<Recipient>): void =>
    setList((l) => l.map((r, k) => (k === i ? { ...r, ...part } : r)));

  /**
   * Processes typed, pasted or scanned text; a payment link fills in what it contains, unless the user has entered
   * something else while the engine read it.
   */
  const take = async (i: number, text: string): Promise<void> => {
    setWrong((w) => w.map((x, k) => (k === i ? "" : x)));
    setUnread(undefined);
    work.clear();
    const p = payee(text);
    const address = p.kind === "address" ? p.text : text;
    set(i, { address, alias: undefined, name: "" });
    if (p.kind !== "uri") return;
    const before = now.current;
    read((n) => n + 1);
    try {
      const { uri } = await live.wallet.rpc.parseUri({ uri: p.text });
      const { list, note } = now.current;
      if (list[i]?.address !== address) return;
      const asks = uri.amount > 0n && list[i].amount === (before.list[i]?.amount ?? "");
      set(i, { address: uri.address, name: uri.recipient_name, ...(asks && { amount: format(uri.amount) }) });
      if (asks) setEverything(false);
      if (uri.tx_description && note === before.note) setNote(uri.tx_description);
    } catch (e) {
      setUnread({ address, error: plain(e) });
    } finally {
      read((n) => n - 1);
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
  const most = chosen ? chosen.sum : from?.balance;
  const tooMuch = most !== undefined && !everything && total > most;
  const missing = list.map((r, i) => {
    const a = parse(r.amount);
    return {
      address: r.address.trim() === "" ? t("sendForm.noAddress") : (wrong[i] ?? ""),
      name: nameError(names, nameIn(r.address)),
      amount: everything ? "" : "problem" in a ? a.problem : a.amount === 0n ? t("sendForm.zero") : "",
    };
  });

  /** Returns what is wrong with an address; "" if nothing. */
  const problem = async (address: string): Promise<string> => {
    const { valid } = await live.wallet.rpc.validateAddress({ address });
    if (valid) return "";
    const elsewhere = await live.wallet.rpc.validateAddress({ address, any_net_type: true });
    if (elsewhere.valid) return t("sendForm.otherNetwork", { network: elsewhere.nettype });
    if (payee(address).kind === "uri") return t("sendForm.badLink");
    return t("sendForm.notAddress");
  };

  const hintOf = (r: Recipient): ComponentChildren => {
    const name = nameIn(r.address);
    // Without a resolver there is only the error.
    if (name !== undefined) return names.on && !nameError(names, name) && <NameHint names={names} name={name} />;
    return nameOf(r, book.data?.entries) || undefined;
  };

  const review = (e: Event): void => {
    e.preventDefault();
    setTried(true);
    work.clear();
    if (missing.some((m) => m.amount || m.address) || tooMuch || chosen?.valid === false) {
      showFirstError(e.currentTarget);
      return;
    }
    const asked = now.current;
    const form = e.currentTarget;
    void work.run(async (signal) => {
      const found = await Promise.all(
        list.map(async (r) => {
          const name = nameIn(r.address);
          if (name === undefined) return { error: await problem(r.address), recipient: { ...r, alias: undefined } };
          const { found: alias, error } = await names.look(name);
          return { error: error ?? "", recipient: { ...r, alias } };
        }),
      );
      // Resolvers can be slow: the user may have left the page.
      if (signal.aborted || !same(asked, now.current)) return;
      setWrong(found.map((f, i) => (nameIn(list[i]?.address ?? "") === undefined ? f.error : "")));
      const recipients = found.map((f) => f.recipient);
      if (found.every((f) => f.error === "")) onDone({ account, recipients, everything, outputs, note });
      else showFirstError(form);
    });
  };

  return (
    <Form busy={work.busy} class="stack" onSubmit={review}>
      <Head title={t("common.send")} />
      {live.kind.viewOnly && <Notice title={t("sendForm.viewOnly")}>{t("sendForm.viewOnlyAbout")}</Notice>}
      {live.kind.multisig && <Notice title={t("sendForm.multisig")}>{t("sendForm.multisigAbout")}</Notice>}
      <section class="card stack">
        {own.length > 1 && (
          <SelectField
            label={t("common.from")}
            value={String(account)}
            onValue={(v) => {
              setAccount(Number(v));
              setOutputs(undefined);
            }}
            options={own.map((a) => [String(a.account_index), `${accountName(a)} (${format(a.unlocked_balance)} XMR)`])}
          />
        )}
        {from && (
          <p class="row between">
            <span class="muted">{unsure ? t("sendForm.receivedUnsure") : t("sendForm.spendable")}</span>
            <span class="strong">
              <Money value={unsure ? from.balance : from.unlocked_balance} />
            </span>
          </p>
        )}
        {unsure && unknown.data !== undefined && (
          <Notice tone="warn">
            <Text
              id="sendForm.mayBeSpent"
              amount={<Money value={unknown.data} />}
              link={(text) => (
                <button type="button" class="link" onClick={() => router.go("cold")}>
                  {text}
                </button>
              )}
            />
          </Notice>
        )}
        <ChosenOutputs account={account} chosen={outputs} now={chosen} onChoose={setOutputs} />
      </section>
      {list.map((r, i) => (
        <fieldset key={i} class="card stack">
          <legend class="sr">{t("common.recipientNumber", { number: i + 1 })}</legend>
          {list.length > 1 && (
            <div class="row between">
              <h2>{t("common.recipientNumber", { number: i + 1 })}</h2>
              <IconButton
                small
                icon="cross"
                label={t("sendForm.removeRecipient", { number: i + 1 })}
                onClick={() => {
                  setList(list.filter((_, k) => k !== i));
                  setWrong(wrong.filter((_, k) => k !== i));
                }}
              />
            </div>
          )}
          <TextField
            label={t("common.to")}
            mono
            rows={4}
            value={r.address}
            placeholder={names.on ? t("openalias.toHint") : t("sendForm.toHint")}
            onValue={(v) => void take(i, v)}
            onBlur={() => {
              const name = nameIn(r.address);
              if (name !== undefined) void names.look(name);
            }}
            error={missing[i]?.name || (tried && missing[i]?.address) || undefined}
            hint={hintOf(r)}
          />
          <div class="row">
            <Paste what={t("common.address")} onText={(text) => void take(i, text)} />
            <Button small icon="scan" onClick={() => scan(i)}>
              {t("common.scanQr")}
            </Button>
            <Button small icon="contacts" onClick={() => choose(i)}>
              {t("common.addressBook")}
            </Button>
          </div>
          {!everything && (
            <AmountField
              large
              label={t("common.amount")}
              text={r.amount}
              onText={(amount) => set(i, { amount })}
              error={(tried && missing[i]?.amount) || undefined}
              hint={chosen && t("outputs.chosenHold", { amount: format(chosen.sum) })}
            />
          )}
          {!everything && <FiatEntry text={r.amount} onText={(amount) => set(i, { amount })} />}
          {list.length === 1 && (
            <Check checked={everything} onChecked={setEverything}>
              {outputs ? t("outputs.everything") : t("sendForm.everything")}
            </Check>
          )}
          {everything && !outputs && from && locked > 0n && (
            <Notice tone="warn" title={t("sendForm.partStays")}>
              {wait > 0 ? (
                <Text
                  id="sendForm.lockedUntil"
                  amount={<Money value={locked} />}
                  count={wait}
                  duration={duration(wait * blockTime)}
                />
              ) : (
                <Text id="sendForm.lockedChange" amount={<Money value={locked} />} />
              )}
            </Notice>
          )}
        </fieldset>
      ))}
      {!everything && list.length < mostRecipients && (
        <Button icon="plus" onClick={() => setList([...list, empty])}>
          {t("sendForm.anotherRecipient")}
        </Button>
      )}
      <TextField
        label={t("common.note")}
        optional
        value={note}
        onValue={setNote}
        maxLength={1000}
        hint={t("common.onlyStoredHere")}
      />
      {tooMuch && (
        <Notice tone={tried ? "bad" : "warn"}>{outputs ? t("outputs.tooMuch") : t("sendForm.tooMuch")}</Notice>
      )}
      {from && !outputs && !everything && total <= from.balance && total > from.unlocked_balance && (
        <Notice tone="warn">{t("sendForm.partLocked")}</Notice>
      )}
      <Failed error={work.error ?? (list.some((r) => r.address === unread?.address) ? unread?.error : undefined)} />
      <Button look="primary" block type="submit" busy={work.busy || reading > 0}>
        {t("sendForm.review")}
      </Button>
      {scanning !== undefined && (
        <Scanner
          title={t("sendForm.scanTitle")}
          onClose={() => scan(undefined)}
          onText={(text) => {
            if (payee(text).kind === "unknown") return t("sendForm.notPayable");
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
    </Form>
  );
}

/** Returns why a name cannot be paid; "" if nothing is known against it. */
function nameError(names: Names, name: string | undefined): string {
  const outcome = name === undefined ? undefined : names.outcome(name);
  return (outcome !== "asked" && outcome?.error) || "";
}

/** What is known of a name. It has the height of an address from the start: a button that is being pressed stays put. */
function NameHint({ names, name }: { names: Names; name: string }) {
  const outcome = names.outcome(name);
  return (
    <div class="alias" aria-live="polite" aria-busy={outcome === "asked"}>
      {outcome === "asked" ? (
        t("openalias.lookingUp", { name })
      ) : outcome?.found ? (
        <>
          <div>{t("openalias.addressOf", { name: outcome.found.name })}</div>
          <Address text={outcome.found.address} />
        </>
      ) : (
        names.on && t("openalias.whenLeft")
      )}
    </div>
  );
}

/** Returns whether two entries are the same: their members are replaced, never changed. */
function same<T extends object>(a: T, b: T): boolean {
  return (Object.keys(a) as (keyof T)[]).every((k) => a[k] === b[k]);
}

function Book({ onChoose, onClose }: { onChoose(address: string): void; onClose(): void }) {
  const { router } = useOpen();
  const book = useWallet((l) => l.wallet.rpc.getAddressBook());
  return (
    <Dialog title={t("common.addressBook")} onClose={onClose}>
      <Failed error={book.error} />
      {book.data?.entries.length === 0 && (
        <Empty title={t("common.noAddressesYet")}>
          <Button small onClick={() => router.go("contacts")}>
            {t("sendForm.addOne")}
          </Button>
        </Empty>
      )}
      <ul class="list">
        {book.data?.entries.map((e) => (
          <li key={e.index.toString()}>
            <button type="button" class="item" onClick={() => onChoose(e.address)}>
              <span class="grow">
                <span class="title">{e.description || t("common.noName")}</span>
                <span class="sub mono">{short(e.address)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
