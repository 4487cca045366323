import { useEffect, useRef, useState } from "preact/hooks";
import { Address } from "../components/address.js";
import { Button } from "../components/button.js";
import { Making } from "../components/making.js";
import { Check } from "../components/field.js";
import { Money } from "../components/money.js";
import { Fiat } from "../components/fiat.js";
import { Failed, Notice } from "../components/notice.js";
import { Fact, Facts, Head } from "../components/page.js";
import { HandOut } from "../components/transport.js";
import { format, parse } from "../lib/amount.js";
import { useApp, useOpen, useWallet, useWork } from "../lib/context.js";
import type { Draft } from "../lib/engine.js";
import { plain, unsure, type Plain } from "../lib/errors.js";
import { fromHex } from "../lib/hex.js";
import { nameOf } from "../lib/payee.js";
import { sendingNode } from "../lib/settings.js";
import { paidAddress, type Order } from "./send-form.js";
import { t } from "../lib/i18n.js";

const speeds = [
  { priority: 1, name: "speed.slow", about: "speed.slowAbout" },
  { priority: 2, name: "speed.normal", about: "speed.normalAbout" },
  { priority: 3, name: "speed.fast", about: "speed.fastAbout" },
  { priority: 4, name: "speed.fastest", about: "speed.fastestAbout" },
] as const;
type Priority = (typeof speeds)[number]["priority"];

interface Props {
  order: Order;
  onBack(): void;
  /** Called when sending begins and when it ends. */
  onSending(now: boolean): void;
  onSent(txids: readonly string[], draft: Draft): void;
}

/** Shows exactly what will be sent, and sends it. */
export function SendReview({ order, onBack, onSending, onSent }: Props) {
  const { say, settings } = useApp();
  const { live, router } = useOpen();
  const [chosen, choose] = useState<Priority | undefined>(undefined);
  const [drafts, setDrafts] = useState<ReadonlyMap<Priority, Draft | Plain>>(new Map());
  const made = useRef(new Map<Priority, Draft>());
  const work = useWork();
  const book = useWallet((l) => l.wallet.rpc.getAddressBook());
  const balance = useWallet((l) => l.wallet.rpc.getBalance({ account_index: order.account }));
  const stays = (d: Draft): bigint => (balance.data ? balance.data.balance - d.amount - d.fee : 0n);
  const [trouble, setTrouble] = useState<Plain | undefined>(undefined);

  // The usual priority first, then the others, one at a time: each fee shown is that of transactions which were made.
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    const draft = (priority: Priority): Promise<Draft> => {
      const options = {
        priority,
        account: order.account,
        signal,
        ...(order.outputs && { keyImages: order.outputs.images }),
      };
      const [only] = order.recipients;
      if (order.everything && only)
        return live.wallet.send({ sweep: paidAddress(only), account: order.account }, options);
      return live.wallet.send(
        { destinations: order.recipients.map((r) => ({ address: paidAddress(r), amount: atomic(r.amount) })) },
        options,
      );
    };
    const run = async (): Promise<void> => {
      const usual = await live.wallet.rpc.getDefaultFeePriority().then(
        (r) => r.priority,
        () => 2,
      );
      const first = (speeds.find((s) => s.priority === usual) ?? speeds[1]).priority;
      choose((now) => now ?? first); // unless the user was faster
      const order = [first, ...speeds.map((s) => s.priority).filter((p) => p !== first)];
      let unpaid: { priority: Priority; why: Plain } | undefined;
      for (const p of order) {
        if (signal.aborted) return;
        // If a priority cannot be paid, a higher fee cannot be paid either.
        if (unpaid && p > unpaid.priority) {
          const { why } = unpaid;
          setDrafts((m) => new Map(m).set(p, why));
          continue;
        }
        let result: Draft | Plain;
        try {
          const d = await draft(p);
          made.current.set(p, d);
          result = d;
        } catch (e) {
          result = plain(e);
          unpaid ??= { priority: p, why: result };
        }
        if (signal.aborted) return;
        setDrafts((m) => new Map(m).set(p, result));
      }
    };
    void run();
    return () => {
      gone.abort();
      for (const d of made.current.values()) d.discard();
    };
  }, [live, order]);

  const current = chosen && drafts.get(chosen);
  const draft = current && !("title" in current) ? current : undefined;
  const failed = current && "title" in current ? current : undefined;
  /** The names that no signature vouches for, and those that the user accepts all the same. */
  const unsigned = [...new Set(order.recipients.flatMap((r) => (r.alias && !r.alias.signed ? [r.alias.name] : [])))];
  const [accepted, accept] = useState<ReadonlySet<string>>(new Set());
  const refused = unsigned.some((name) => !accepted.has(name));
  const handOver = draft ? draft.unsigned || draft.multisig : "";

  const send = (): void =>
    void work.run(async (signal) => {
      if (!draft || !chosen || refused) return;
      setTrouble(undefined);
      onSending(true);
      router.hold(true);
      let txids: readonly string[];
      try {
        txids = await draft.confirm();
      } catch (e) {
        // If the user has left the page, tell them where they are.
        if (signal.aborted) say(unsure(e).title);
        return setTrouble(unsure(e));
      } finally {
        onSending(false);
        router.hold(false);
      }
      made.current.delete(chosen);
      if (order.note.trim() !== "") {
        // The payment is sent: failing to store a note must not make it look failed.
        await live.wallet.rpc.setTxNotes({ txids, notes: txids.map(() => order.note.trim()) }).catch(() => undefined);
      }
      live.touch();
      if (signal.aborted) say(t("sendReview.amountSent", { amount: format(draft.amount) }));
      else onSent(txids, draft);
    });

  return (
    <div class="stack">
      <Head title={t("sendReview.title")} {...(work.busy ? {} : { onBack })} />
      <section class="card">
        <Facts>
          {order.recipients.map((r, i) => {
            const amount = order.everything ? draft?.amount : atomic(r.amount);
            return (
              <Fact
                key={i}
                name={order.recipients.length > 1 ? t("common.recipientNumber", { number: i + 1 }) : t("common.to")}
              >
                {amount !== undefined && (
                  <div class="strong">
                    <Money value={amount} />
                  </div>
                )}
                {amount !== undefined && <Fiat value={amount} />}
                {r.alias && <div data-alias>{t("openalias.addressOf", { name: r.alias.name })}</div>}
                {nameOf({ ...r, address: paidAddress(r) }, book.data?.entries) && (
                  <div>{nameOf({ ...r, address: paidAddress(r) }, book.data?.entries)}</div>
                )}
                <Address text={paidAddress(r)} />
              </Fact>
            );
          })}
          <Fact name={t("common.fee")}>{draft ? <Money value={draft.fee} /> : failed ? "\u2013" : <Making />}</Fact>
          <Fact name={order.everything ? t("sendReview.leaves") : t("common.total")} total>
            {draft ? <Money value={draft.amount + draft.fee} /> : "\u2013"}
            {draft && <Fiat value={draft.amount + draft.fee} age />}
          </Fact>
          {order.everything && draft && stays(draft) > 0n && (
            <Fact name={t("sendReview.stays")}>
              <Money value={stays(draft)} />
              {!order.outputs && <p class="hint">{t("sendReview.staysLocked")}</p>}
            </Fact>
          )}
          {draft && draft.transactions.length > 1 && (
            <Fact name={t("sendReview.splitInto")}>
              {t("common.transactions", { count: draft.transactions.length })}
            </Fact>
          )}
          {order.outputs && (
            <Fact name={t("outputs.spendsOnly")}>{t("outputs.chosen", { count: order.outputs.images.length })}</Fact>
          )}
          {order.note.trim() !== "" && <Fact name={t("common.note")}>{order.note}</Fact>}
        </Facts>
      </section>
      <fieldset class="stack tight">
        <legend class="legend">{t("sendReview.speed")}</legend>
        {speeds.map((s) => {
          const d = drafts.get(s.priority);
          return (
            <label key={s.priority} class="choice">
              <input
                type="radio"
                name="speed"
                checked={chosen === s.priority}
                disabled={work.busy}
                onChange={() => choose(s.priority)}
              />
              <span>
                <span class="strong">{t(s.name)}</span>
                <span class="hint" style={{ display: "block" }}>
                  {t(s.about)}
                </span>
              </span>
              <span class="right small">
                {d === undefined ? (
                  <Making />
                ) : !("title" in d) ? (
                  <Money value={d.fee} />
                ) : failed && s.priority !== chosen ? (
                  "\u2013"
                ) : (
                  <span class="error-text">{d.title}</span>
                )}
              </span>
            </label>
          );
        })}
      </fieldset>
      <Failed error={failed} />
      <Failed error={trouble ?? work.error} />
      {trouble && sendingNode(settings) !== "" && (
        <Notice icon="info">{t("sendReview.givenTo", { node: sendingNode(settings) })}</Notice>
      )}
      {unsigned.map((name) => (
        <Notice key={name} tone="warn" title={t("openalias.unsigned", { name })}>
          {t("openalias.unsignedAbout")}
          <Check
            checked={accepted.has(name)}
            disabled={work.busy}
            onChecked={(yes) => accept((a) => new Set([...a].filter((n) => n !== name).concat(yes ? name : [])))}
          >
            {t("openalias.accept", { name })}
          </Check>
        </Notice>
      ))}
      {draft && handOver ? (
        refused ? null : (
          <section class="card stack">
            <h2>{draft.unsigned ? t("sendReview.signElsewhere") : t("sendReview.passOn")}</h2>
            <HandOut
              kind={draft.unsigned ? "U" : "T"}
              data={fromHex(handOver) ?? new TextEncoder().encode(handOver)}
              name={draft.unsigned ? "unsigned_monero_tx" : "multisig_monero_tx"}
            />
            <Button
              look="plain"
              onClick={() => router.go(draft.unsigned ? "cold" : "multisig", draft.unsigned ? "submit" : "sign")}
            >
              {draft.unsigned ? t("sendReview.haveSigned") : t("sendReview.signHere")}
            </Button>
          </section>
        )
      ) : (
        <>
          <Notice icon="info">{t("sendReview.warning")}</Notice>
          <Button look="primary" block icon="send" disabled={!draft || refused} busy={work.busy} onClick={send}>
            {draft ? t("common.sendAmount", { amount: format(draft.amount) }) : t("common.send")}
          </Button>
        </>
      )}
      <Button block disabled={work.busy} onClick={onBack}>
        {t("sendReview.back")}
      </Button>
    </div>
  );
}

function atomic(text: string): bigint {
  const entry = parse(text);
  return "amount" in entry ? entry.amount : 0n;
}
