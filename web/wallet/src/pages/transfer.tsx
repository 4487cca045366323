import { useEffect, useState } from "preact/hooks";
import { Address, Copy, Value } from "../components/address.js";
import { Button } from "../components/button.js";
import { TextField } from "../components/field.js";
import { Form } from "../components/form.js";
import { Money } from "../components/money.js";
import { Failed, Notice } from "../components/notice.js";
import { Fact, Facts, Head } from "../components/page.js";
import { stateWords } from "../components/transfer-row.js";
import { useApp, useLive, useOpen, useWallet, useWork } from "../lib/context.js";
import type { Transfer } from "../lib/engine.js";
import { useLabels } from "../lib/labels.js";
import { duration } from "../lib/progress.js";
import { incoming } from "../lib/search.js";
import { moment, unlocks } from "../lib/time.js";
import { number, t } from "../lib/i18n.js";

/** One transaction with all details. */
export function TransferPage({ txid }: { txid: string }) {
  const { router } = useOpen();
  const history = useWallet((l, signal) => l.wallet.history({ signal }));
  const parts = (history.data ?? []).filter((tx) => tx.txid === txid);
  const back = (): void => router.back();
  if (history.data && parts.length === 0) {
    return (
      <>
        <Head title={t("common.transaction")} onBack={back} />
        <Notice>{t("transfer.gone")}</Notice>
      </>
    );
  }
  return (
    <div class="stack">
      <Head
        title={parts[0] ? (incoming(parts[0]) ? t("common.received") : t("common.sent")) : t("common.transaction")}
        onBack={back}
      />
      <Failed error={history.error} />
      {parts.map((tx) => (
        <Part key={tx.type + tx.account + tx.indices.join()} tx={tx} />
      ))}
      {parts[0] && (
        <>
          <Note tx={parts[0]} />
          <TransactionKey tx={parts.find((tx) => !incoming(tx)) ?? parts[0]} />
        </>
      )}
    </div>
  );
}

function Part({ tx }: { tx: Transfer }) {
  const live = useLive();
  const label = useLabels()(tx);
  const into = incoming(tx);
  const words = stateWords(tx);
  const wants = Math.max(10, tx.confirmationsWorth);
  const lock = unlocks(tx.unlockTime);
  const left = Math.max(1, 10 - tx.confirmations);
  return (
    <section class="card">
      <div class="row between">
        <p class="transfer-amount">
          <Money value={tx.amount} sign={into ? "in" : "out"} off={tx.type === "failed"} />
        </p>
        {words.text ? (
          <span class={`tag ${words.tone}`}>{words.text}</span>
        ) : (
          <span class="tag good">{t("state.done")}</span>
        )}
      </div>
      {tx.type === "failed" && <p class="hint">{t("transfer.rejected")}</p>}
      {tx.doubleSpendSeen && (
        <Notice tone="bad" title={t("transfer.doubleSpendTitle")}>
          {t("transfer.doubleSpend")}
        </Notice>
      )}
      <Facts>
        <Fact name={t("transfer.date")}>{moment(tx.date)}</Fact>
        <Fact name={t("transfer.confirmations")}>
          {tx.height === 0 ? (
            t("transfer.unconfirmed")
          ) : (
            <span class="num">
              {tx.confirmations < wants
                ? t("transfer.ofRecommended", { count: tx.confirmations, wanted: wants })
                : number(tx.confirmations)}
            </span>
          )}
        </Fact>
        {tx.height > 0 && (
          <Fact name={t("transfer.block")}>
            <span class="num">{number(tx.height)}</span>
          </Fact>
        )}
        {tx.locked && tx.height > 0 && (
          <Fact name={t("transfer.unlocks")}>
            {lock || t("transfer.inBlocks", { count: left, duration: duration(left * 120_000) })}
          </Fact>
        )}
        {!into && (
          <Fact name={t("common.fee")}>
            <Money value={tx.fee} />
          </Fact>
        )}
        {!into && (
          <Fact name={t("common.total")} total>
            <Money value={tx.amount + tx.fee} />
          </Fact>
        )}
        {into ? (
          <Fact name={t("transfer.toYourAddress")}>
            {label && <strong>{label} </strong>}
            <span class="row" style={{ flexWrap: "nowrap", alignItems: "flex-start" }}>
              <span class="grow">
                <Address text={tx.address} />
              </span>
              <Copy text={tx.address} what={t("common.address")} />
            </span>
          </Fact>
        ) : (
          tx.destinations.map((d, i) => (
            <Fact
              key={i}
              name={tx.destinations.length > 1 ? t("common.recipientNumber", { number: i + 1 }) : t("common.to")}
            >
              {tx.destinations.length > 1 && (
                <div>
                  <Money value={d.amount} />
                </div>
              )}
              <span class="row" style={{ flexWrap: "nowrap", alignItems: "flex-start" }}>
                <span class="grow">
                  <Address text={d.address} />
                </span>
                <Copy text={d.address} what={t("common.address")} />
              </span>
            </Fact>
          ))
        )}
        {tx.paymentID && (
          <Fact name={t("transfer.paymentId")}>
            <Value text={tx.paymentID} what={t("transfer.paymentId")} />
          </Fact>
        )}
        <Fact name={t("common.account")}>
          <span class="num">
            {into
              ? t("transfer.accountAddress", { account: tx.account, addresses: tx.indices.join(", ") })
              : number(tx.account)}
          </span>
        </Fact>
        <Fact name={t("common.transactionId")}>
          <Value text={tx.txid} what={t("common.transactionId")} />
        </Fact>
      </Facts>
      {live.kind.viewOnly && !into && <p class="hint">{t("transfer.fromKeyImages")}</p>}
    </section>
  );
}

function Note({ tx }: { tx: Transfer }) {
  const { say } = useApp();
  const { live } = useOpen();
  const [text, setText] = useState(tx.note);
  const work = useWork();
  useEffect(() => setText(tx.note), [tx.note]);
  return (
    <Form
      busy={work.busy}
      class="card stack"
      onSubmit={(e) => {
        e.preventDefault();
        void work.run(async () => {
          await live.wallet.rpc.setTxNotes({ txids: [tx.txid], notes: [text] });
          live.touch();
          say(t("transfer.noteSaved"));
        });
      }}
    >
      <TextField
        label={t("common.note")}
        value={text}
        onValue={setText}
        maxLength={1000}
        placeholder={t("transfer.noteHint")}
      />
      <Failed error={work.error} />
      {text !== tx.note && (
        <Button small type="submit" busy={work.busy}>
          {t("transfer.saveNote")}
        </Button>
      )}
    </Form>
  );
}

/** The transaction's key, and links to proofs about it. */
function TransactionKey({ tx }: { tx: Transfer }) {
  const { live, router } = useOpen();
  const [key, setKey] = useState("");
  const work = useWork();
  const own = !incoming(tx);
  return (
    <section class="card stack">
      <h2>{t("transfer.prove")}</h2>
      <p class="muted small">{t("transfer.proveAbout")}</p>
      <div class="row">
        <Button small icon="proofs" onClick={() => router.go("proofs", tx.txid)}>
          {t("transfer.makeProof")}
        </Button>
        {own && key === "" && (
          <Button
            small
            icon="key"
            busy={work.busy}
            onClick={() =>
              void work.run(async () => setKey((await live.wallet.rpc.getTxKey({ txid: tx.txid })).tx_key))
            }
          >
            {t("transfer.showKey")}
          </Button>
        )}
      </div>
      <Failed error={work.error} />
      {key && (
        <Notice title={t("common.transactionKey")}>
          {t("transfer.keyAbout")}
          <Value text={key} what={t("common.transactionKey")} />
        </Notice>
      )}
    </section>
  );
}
