import { Button } from "../components/button.js";
import { Failed, Notice } from "../components/notice.js";
import { Money } from "../components/money.js";
import { NodeTrouble } from "../components/node.js";
import { Empty, Section } from "../components/page.js";
import { Sync } from "../components/sync.js";
import { TransferRow } from "../components/transfer-row.js";
import { useApp, useLive, useOpen, useWallet } from "../lib/context.js";
import { useLabels } from "../lib/labels.js";
import { duration, plural } from "../lib/progress.js";
import { playing } from "../lib/settings.js";

const shown = 6;
const blockTime = 120_000;

/** The money, how far the wallet is, and what happened last. */
export function Home() {
  const { router } = useOpen();
  const { settings } = useApp();
  const live = useLive();
  const balance = useWallet((l) => l.wallet.rpc.getBalance({ all_accounts: true }));
  const history = useWallet((l, signal) => l.wallet.history({ signal }));
  const label = useLabels();
  const b = balance.data;
  const locked = b ? b.balance - b.unlocked_balance : 0n;
  const wait = b ? Number(b.blocks_to_unlock) : 0;
  const count = history.data?.length ?? 0;
  const recent = history.data?.slice(0, shown);
  const { viewOnly, multisig } = live.kind;

  return (
    <div class="stack loose">
      <header class="stack">
        <div class="row between">
          <h1 tabIndex={-1} class="home-title">
            {live.wallet.name}
          </h1>
          <span class="row">
            {viewOnly && <span class="tag">Watch only</span>}
            {multisig && (
              <span class="tag">
                {multisig.threshold} of {multisig.total} signers
              </span>
            )}
            {playing(settings) && <span class="tag">Private chain</span>}
          </span>
        </div>
        <div class="stack tight">
          <dl class="stack tight">
            <dt class="muted small">Balance</dt>
            <dd class="balance">{b ? <Money value={b.balance} /> : "\u2013"}</dd>
          </dl>
          {b && locked > 0n && (
            <p class="muted num">
              <Money value={b.unlocked_balance} /> can be spent now.{" "}
              {wait > 0 ? `The rest in ${plural(wait, "block")}, about ${duration(wait * blockTime)}.` : "The rest is on its way back as change."}
            </p>
          )}
          {viewOnly && <p class="muted small">This copy sees what comes. What was spent it learns from key images: see Cold signing.</p>}
        </div>
        <div class="actions">
          <Button look="primary" icon="send" onClick={() => router.go("send")}>
            Send
          </Button>
          <Button icon="receive" onClick={() => router.go("receive")}>
            Receive
          </Button>
        </div>
        <Sync />
        <NodeTrouble />
        {multisig && !multisig.ready && (
          <Notice tone="warn" title="The signers' set-up is not finished">
            <button type="button" class="link" onClick={() => router.go("multisig")}>
              Finish it
            </button>
          </Notice>
        )}
        {b?.multisig_import_needed && (
          <Notice tone="warn" title="The other signers' information is out of date">
            <button type="button" class="link" onClick={() => router.go("multisig")}>
              Exchange it
            </button>{" "}
            before you spend.
          </Notice>
        )}
        <Failed error={balance.error} />
      </header>
      <Section
        title="Recent"
        end={
          count > shown && (
            <Button small look="plain" onClick={() => router.go("history")}>
              All {count}
            </Button>
          )
        }
      >
        {recent && recent.length === 0 ? (
          <div class="list">
            <Empty title="Nothing yet">
              <p>{playing(settings) ? "Mine some blocks to this wallet to begin." : "What you receive shows here as soon as the network sees it."}</p>
              {playing(settings) && (
                <Button small icon="play" onClick={() => router.go("play")}>
                  Private chain
                </Button>
              )}
            </Empty>
          </div>
        ) : (
          <ul class="list">
            {recent?.map((t) => (
              <TransferRow key={t.type + t.txid + t.account + t.indices.join()} transfer={t} label={label(t)} onOpen={() => router.go("transfer", t.txid)} />
            ))}
          </ul>
        )}
        <Failed error={history.error} />
      </Section>
    </div>
  );
}
