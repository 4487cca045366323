import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { SelectField, TextField } from "../components/field.js";
import { Failed } from "../components/notice.js";
import { Empty, Head } from "../components/page.js";
import { Segments } from "../components/segments.js";
import { TransferRow } from "../components/transfer-row.js";
import { useApp, useOpen, useWallet } from "../lib/context.js";
import { csv } from "../lib/csv.js";
import { useLabels } from "../lib/labels.js";
import { everything, search, type Query } from "../lib/search.js";
import { dayName } from "../lib/time.js";
import { t } from "../lib/i18n.js";

const step = 100;

/** All transfers, searchable. */
export function History() {
  const { router, live } = useOpen();
  const { platform } = useApp();
  const [query, setQuery] = useState<Query>(everything);
  const [most, setMost] = useState(step);
  const history = useWallet((l, signal) => l.wallet.history({ signal }));
  const label = useLabels();
  const found = search(history.data ?? [], query, label);
  const set = (part: Partial<Query>): void => {
    setMost(step);
    setQuery({ ...query, ...part });
  };
  const filtered = JSON.stringify(query) !== JSON.stringify(everything);

  const groups: { day: string; items: typeof found }[] = [];
  for (const tx of found.slice(0, most)) {
    const day = tx.height === 0 && tx.type !== "failed" ? t("common.pending") : dayName(tx.date);
    const last = groups.at(-1);
    if (last?.day === day) last.items.push(tx);
    else groups.push({ day, items: [tx] });
  }

  return (
    <div class="stack">
      <Head title={t("common.history")}>
        <Button
          small
          icon="file"
          disabled={found.length === 0}
          onClick={() =>
            void platform.save({
              name: `${live.wallet.name}-history.csv`,
              bytes: new TextEncoder().encode(csv(found, label)),
            })
          }
        >
          {t("history.saveAsCsv")}
        </Button>
      </Head>
      <TextField
        label={t("common.search")}
        type="search"
        value={query.text}
        onValue={(text) => set({ text })}
        placeholder={t("history.searchHint")}
      />
      <Segments
        label={t("history.direction")}
        value={query.direction}
        onValue={(direction) => set({ direction })}
        options={[
          ["all", t("history.all")],
          ["in", t("common.received")],
          ["out", t("common.sent")],
        ]}
      />
      <details class="more">
        <summary>{t("history.moreFilters")}</summary>
        <div class="cols">
          <SelectField
            label={t("history.state")}
            value={query.state}
            onValue={(state) => set({ state: state as Query["state"] })}
            options={[
              ["all", t("history.allStates")],
              ["open", t("history.pendingOrLocked")],
              ["done", t("state.done")],
              ["failed", t("common.failed")],
            ]}
          />
          <span />
          <TextField label={t("history.from")} type="date" value={query.from} onValue={(from) => set({ from })} />
          <TextField label={t("history.until")} type="date" value={query.to} onValue={(to) => set({ to })} />
        </div>
      </details>
      <p class="row between hint" role="status">
        <span>{history.data ? t("common.transactions", { count: found.length }) : t("history.loading")}</span>
        {filtered && (
          <Button small look="plain" onClick={() => set(everything)}>
            {t("history.clearFilters")}
          </Button>
        )}
      </p>
      <Failed error={history.error} />
      {groups.map((g) => (
        <section key={g.day}>
          <h2 class="day">{g.day}</h2>
          <ul class="list">
            {g.items.map((tx) => (
              <TransferRow
                key={tx.type + tx.txid + tx.account + tx.indices.join()}
                transfer={tx}
                label={label(tx)}
                byDay
                onOpen={() => router.go("transfer", tx.txid)}
              />
            ))}
          </ul>
        </section>
      ))}
      {history.data && found.length === 0 && (
        <div class="list">
          <Empty title={filtered ? t("common.nothingFound") : t("common.nothingYet")}>
            <p>{filtered ? t("history.tryOther") : t("history.empty")}</p>
          </Empty>
        </div>
      )}
      {found.length > most && (
        <Button block onClick={() => setMost(most + step)}>
          {t("history.showMore")}
        </Button>
      )}
    </div>
  );
}
