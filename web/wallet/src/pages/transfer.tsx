import { useEffect, useState } from "preact/hooks";
import { Address, Copy, Value } from "../components/address.js";
import { Button } from "../components/button.js";
import { TextField } from "../components/field.js";
import { Money } from "../components/money.js";
import { Failed, Notice } from "../components/notice.js";
import { Fact, Facts, Head } from "../components/page.js";
import { stateWords } from "../components/transfer-row.js";
import { useApp, useLive, useOpen, useWallet, useWork } from "../lib/context.js";
import type { Transfer } from "../lib/engine.js";
import { useLabels } from "../lib/labels.js";
import { duration, plural } from "../lib/progress.js";
import { incoming } from "../lib/search.js";
import { moment, unlocks } from "../lib/time.js";

/** One transaction with all details. */
export function TransferPage({ txid }: { txid: string }) {
  const { router } = useOpen();
  const history = useWallet((l, signal) => l.wallet.history({ signal }));
  const parts = (history.data ?? []).filter((t) => t.txid === txid);
  const back = (): void => router.back();
  if (history.data && parts.length === 0) {
    return (
      <>
        <Head title="Transaction" onBack={back} />
        <Notice>This transaction is no longer in the history.</Notice>
      </>
    );
  }
  return (
    <div class="stack">
      <Head title={parts[0] ? (incoming(parts[0]) ? "Received" : "Sent") : "Transaction"} onBack={back} />
      <Failed error={history.error} />
      {parts.map((t) => (
        <Part key={t.type + t.account + t.indices.join()} t={t} />
      ))}
      {parts[0] && (
        <>
          <Note t={parts[0]} />
          <TransactionKey t={parts.find((t) => !incoming(t)) ?? parts[0]} />
        </>
      )}
    </div>
  );
}

function Part({ t }: { t: Transfer }) {
  const live = useLive();
  const label = useLabels()(t);
  const into = incoming(t);
  const words = stateWords(t);
  const wants = Math.max(10, t.confirmationsWorth);
  const lock = unlocks(t.unlockTime);
  const left = Math.max(1, 10 - t.confirmations);
  return (
    <section class="card">
      <div class="row between">
        <p class="transfer-amount">
          <Money value={t.amount} sign={into ? "in" : "out"} off={t.type === "failed"} />
        </p>
        {words.text ? <span class={`tag ${words.tone}`}>{words.text}</span> : <span class="tag good">Done</span>}
      </div>
      {t.type === "failed" && (
        <p class="hint">
          The network rejected this payment. The money is still in your wallet, and you can send it again.
        </p>
      )}
      {t.doubleSpendSeen && (
        <Notice tone="bad" title="Someone is trying to spend this money twice">
          Do not rely on this payment before it has confirmations.
        </Notice>
      )}
      <Facts>
        <Fact name="Date">{moment(t.date)}</Fact>
        <Fact name="Confirmations">
          {t.height === 0 ? (
            "None yet. There is a new block about every two minutes."
          ) : (
            <span class="num">
              {t.confirmations.toLocaleString("en")}
              {t.confirmations < wants && ` of ${wants} recommended for this amount`}
            </span>
          )}
        </Fact>
        {t.height > 0 && (
          <Fact name="Block">
            <span class="num">{t.height.toLocaleString("en")}</span>
          </Fact>
        )}
        {t.locked && t.height > 0 && (
          <Fact name="Unlocks">{lock || `in ${plural(left, "block")}, about ${duration(left * 120_000)}`}</Fact>
        )}
        {!into && (
          <Fact name="Fee">
            <Money value={t.fee} />
          </Fact>
        )}
        {!into && (
          <Fact name="Total" total>
            <Money value={t.amount + t.fee} />
          </Fact>
        )}
        {into ? (
          <Fact name="To your address">
            {label && <strong>{label} </strong>}
            <span class="row" style={{ flexWrap: "nowrap", alignItems: "flex-start" }}>
              <span class="grow">
                <Address text={t.address} />
              </span>
              <Copy text={t.address} what="Address" />
            </span>
          </Fact>
        ) : (
          t.destinations.map((d, i) => (
            <Fact key={i} name={t.destinations.length > 1 ? `Recipient ${i + 1}` : "To"}>
              {t.destinations.length > 1 && (
                <div>
                  <Money value={d.amount} />
                </div>
              )}
              <span class="row" style={{ flexWrap: "nowrap", alignItems: "flex-start" }}>
                <span class="grow">
                  <Address text={d.address} />
                </span>
                <Copy text={d.address} what="Address" />
              </span>
            </Fact>
          ))
        )}
        {t.paymentID && (
          <Fact name="Payment ID">
            <Value text={t.paymentID} what="Payment ID" />
          </Fact>
        )}
        <Fact name="Account">
          <span class="num">
            {t.account}
            {into && `, address ${t.indices.join(", ")}`}
          </span>
        </Fact>
        <Fact name="Transaction ID">
          <Value text={t.txid} what="Transaction ID" />
        </Fact>
      </Facts>
      {live.kind.viewOnly && !into && <p class="hint">Known from key images.</p>}
    </section>
  );
}

function Note({ t }: { t: Transfer }) {
  const { say } = useApp();
  const { live } = useOpen();
  const [text, setText] = useState(t.note);
  const work = useWork();
  useEffect(() => setText(t.note), [t.note]);
  return (
    <form
      class="card stack"
      onSubmit={(e) => {
        e.preventDefault();
        void work.run(async () => {
          await live.wallet.rpc.setTxNotes({ txids: [t.txid], notes: [text] });
          live.touch();
          say("Note saved");
        });
      }}
    >
      <TextField label="Note" value={text} onValue={setText} maxLength={1000} placeholder="Only you see it" />
      <Failed error={work.error} />
      {text !== t.note && (
        <Button small type="submit" busy={work.busy}>
          Save note
        </Button>
      )}
    </form>
  );
}

/** The transaction's key, and links to proofs about it. */
function TransactionKey({ t }: { t: Transfer }) {
  const { live, router } = useOpen();
  const [key, setKey] = useState("");
  const work = useWork();
  const own = !incoming(t);
  return (
    <section class="card stack">
      <h2>Prove it to others</h2>
      <p class="muted small">A proof convinces someone that this payment was made, without revealing anything else.</p>
      <div class="row">
        <Button small icon="proofs" onClick={() => router.go("proofs", t.txid)}>
          Make a proof
        </Button>
        {own && key === "" && (
          <Button
            small
            icon="key"
            busy={work.busy}
            onClick={() => void work.run(async () => setKey((await live.wallet.rpc.getTxKey({ txid: t.txid })).tx_key))}
          >
            Show transaction key
          </Button>
        )}
      </div>
      <Failed error={work.error} />
      {key && (
        <Notice title="Transaction key">
          Anyone with this key and the address can see what this transaction paid to it.
          <Value text={key} what="Transaction key" />
        </Notice>
      )}
    </section>
  );
}
