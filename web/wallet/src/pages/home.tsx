import { BackupReminder } from "../components/backup.js";
import { CopyReminder } from "../components/copies.js";
import { Button } from "../components/button.js";
import { DemoHints } from "../components/demo-hints.js";
import { Fiat } from "../components/fiat.js";
import { Failed, Notice } from "../components/notice.js";
import { FileWarning } from "../components/file-warning.js";
import { Money } from "../components/money.js";
import { NodeTrouble } from "../components/node.js";
import { Empty, Section } from "../components/page.js";
import { Sync } from "../components/sync.js";
import { TransferRow } from "../components/transfer-row.js";
import { useApp, useLive, useOpen, useWallet } from "../lib/context.js";
import { useLabels } from "../lib/labels.js";
import { testNetwork } from "../lib/network.js";
import { duration } from "../lib/progress.js";
import { playing } from "../lib/settings.js";
import { mayBeSpent } from "../lib/unknown.js";
import { t } from "../lib/i18n.js";
import { Text } from "../components/text.js";

const shown = 6;
const blockTime = 120_000;

/** The balance, the sync progress and the last transfers. */
export function Home() {
  const { router } = useOpen();
  const { settings, demo, nameOf } = useApp();
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
  const network = testNetwork(settings);
  const unknown = useWallet(async (l) => (l.kind.viewOnly ? mayBeSpent(l.wallet) : 0n), [viewOnly]);
  const unsure = viewOnly && unknown.data !== 0n;

  return (
    <div class="stack loose">
      <header class="stack">
        <div class="row between">
          <h1 tabIndex={-1} class="home-title">
            {nameOf(live.wallet.name)}
          </h1>
          <span class="row">
            {viewOnly && <span class="tag">{t("home.viewOnly")}</span>}
            {multisig && (
              <span class="tag">{t("home.signers", { some: multisig.threshold, count: multisig.total })}</span>
            )}
            {network !== "" && !demo && <span class="tag">{network}</span>}
          </span>
        </div>
        <FileWarning />
        <BackupReminder />
        <CopyReminder history={history.data} />
        <div class="stack tight">
          <dl class="stack tight">
            <dt class="row muted small">
              <span>{t("home.balance")}</span> {unsure && <span class="tag warn">{t("home.atMost")}</span>}
            </dt>
            <dd class="balance">{b ? <Money value={b.balance} /> : "\u2013"}</dd>
          </dl>
          {b && <Fiat value={b.balance} age />}
          {b && !unsure && locked > 0n && (
            <p class="muted num">
              {wait > 0 ? (
                <Text
                  id="home.unlocking"
                  amount={<Money value={b.unlocked_balance} />}
                  count={wait}
                  duration={duration(wait * blockTime)}
                />
              ) : (
                <Text id="home.changePending" amount={<Money value={b.unlocked_balance} />} />
              )}
            </p>
          )}
        </div>
        {unsure && unknown.data !== undefined && (
          <Notice tone="warn" title={t("home.unknownTitle")}>
            <p>
              <Text id="home.unknownSpending" amount={<Money value={unknown.data} />} />
            </p>
            <p style={{ marginTop: "8px" }}>
              <Button small onClick={() => router.go("cold")}>
                {t("common.importKeyImages")}
              </Button>
            </p>
          </Notice>
        )}
        <div class="actions">
          <Button look="primary" icon="send" onClick={() => router.go("send")}>
            {t("common.send")}
          </Button>
          <Button icon="receive" onClick={() => router.go("receive")}>
            {t("common.receive")}
          </Button>
        </div>
        <DemoHints />
        <Sync />
        <NodeTrouble />
        {multisig && !multisig.ready && (
          <Notice tone="warn" title={t("home.setupUnfinished")}>
            <button type="button" class="link" onClick={() => router.go("multisig")}>
              {t("home.finishIt")}
            </button>
          </Notice>
        )}
        {b?.multisig_import_needed && (
          <Notice tone="warn" title={t("home.messagesOld")}>
            <Text
              id="home.exchangeFirst"
              link={(text) => (
                <button type="button" class="link" onClick={() => router.go("multisig")}>
                  {text}
                </button>
              )}
            />
          </Notice>
        )}
        <Failed error={balance.error} />
      </header>
      <Section
        title={t("home.recent")}
        end={
          count > shown && (
            <Button small look="plain" onClick={() => router.go("history")}>
              {t("home.all", { count })}
            </Button>
          )
        }
      >
        {recent && recent.length === 0 ? (
          <div class="list">
            <Empty title={t("common.nothingYet")}>
              <p>{playing(settings) ? t("home.mineFirst") : t("home.empty")}</p>
              {playing(settings) && (
                <Button small icon="play" onClick={() => router.go("play")}>
                  {t("common.privateChain")}
                </Button>
              )}
            </Empty>
          </div>
        ) : (
          <ul class="list">
            {recent?.map((tx) => (
              <TransferRow
                key={tx.type + tx.txid + tx.account + tx.indices.join()}
                transfer={tx}
                label={label(tx)}
                onOpen={() => router.go("transfer", tx.txid)}
              />
            ))}
          </ul>
        )}
        <Failed error={history.error} />
      </Section>
    </div>
  );
}
