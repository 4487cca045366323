import { BackupReminder } from "../components/backup.js";
import { CopyReminder } from "../components/copies.js";
import { Button } from "../components/button.js";
import { Failed, Notice } from "../components/notice.js";
import { FileWarning } from "../components/file-warning.js";
import { Money } from "../components/money.js";
import { NodeTrouble } from "../components/node.js";
import { Empty, Section } from "../components/page.js";
import { Sync } from "../components/sync.js";
import { TransferRow } from "../components/transfer-row.js";
import { useApp, useLive, useOpen, useWallet } from "../lib/context.js";
import { useLabels } from "../lib/labels.js";
import { duration, plural } from "../lib/progress.js";
import { playing } from "../lib/settings.js";
import { mayBeSpent } from "../lib/unknown.js";

const shown = 6;
const blockTime = 120_000;

/** The balance, the sync progress and the last transfers. */
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
  const unknown = useWallet(async (l) => (l.kind.viewOnly ? mayBeSpent(l.wallet) : 0n), [viewOnly]);
  const unsure = viewOnly && unknown.data !== 0n;

  return (
    <div class="stack loose">
      <header class="stack">
        <div class="row between">
          <h1 tabIndex={-1} class="home-title">
            {live.wallet.name}
          </h1>
          <span class="row">
            {viewOnly && <span class="tag">View-only</span>}
            {multisig && (
              <span class="tag">
                {multisig.threshold} of {multisig.total} signers
              </span>
            )}
            {playing(settings) && <span class="tag">Private chain</span>}
          </span>
        </div>
        <FileWarning />
        <BackupReminder />
        <CopyReminder history={history.data} />
        <div class="stack tight">
          <dl class="stack tight">
            <dt class="row muted small">
              <span>Balance</span> {unsure && <span class="tag warn">at most</span>}
            </dt>
            <dd class="balance">{b ? <Money value={b.balance} /> : "\u2013"}</dd>
          </dl>
          {b && !unsure && locked > 0n && (
            <p class="muted num">
              <Money value={b.unlocked_balance} /> can be spent now.{" "}
              {wait > 0
                ? `The rest in ${plural(wait, "block")}, about ${duration(wait * blockTime)}.`
                : "The rest is change that has not returned yet."}
            </p>
          )}
        </div>
        {unsure && unknown.data !== undefined && (
          <Notice tone="warn" title="Outgoing payments are unknown">
            <p>
              A view-only wallet finds what was received. Whether it was spent shows only in key images, which the
              wallet with the spend key exports. <Money value={unknown.data} /> of this balance may be spent already.
            </p>
            <p style={{ marginTop: "8px" }}>
              <Button small onClick={() => router.go("cold")}>
                Import key images
              </Button>
            </p>
          </Notice>
        )}
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
          <Notice tone="warn" title="Multisig setup is not finished">
            <button type="button" class="link" onClick={() => router.go("multisig")}>
              Finish it
            </button>
          </Notice>
        )}
        {b?.multisig_import_needed && (
          <Notice tone="warn" title="The other signers' messages are out of date">
            <button type="button" class="link" onClick={() => router.go("multisig")}>
              Exchange messages
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
              <p>
                {playing(settings)
                  ? "Mine some blocks to this wallet to begin."
                  : "Payments appear here as soon as the network sees them."}
              </p>
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
              <TransferRow
                key={t.type + t.txid + t.account + t.indices.join()}
                transfer={t}
                label={label(t)}
                onOpen={() => router.go("transfer", t.txid)}
              />
            ))}
          </ul>
        )}
        <Failed error={history.error} />
      </Section>
    </div>
  );
}
