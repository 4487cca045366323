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
import { plural } from "../lib/progress.js";
import { everything, search, type Query } from "../lib/search.js";
import { dayName } from "../lib/time.js";

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
  for (const t of found.slice(0, most)) {
    const day = t.height === 0 && t.type !== "failed" ? "Pending" : dayName(t.date);
    const last = groups.at(-1);
    if (last?.day === day) last.items.push(t);
    else groups.push({ day, items: [t] });
  }

  return (
    <div class="stack">
      <Head title="History">
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
          Save as CSV
        </Button>
      </Head>
      <TextField
        label="Search"
        type="search"
        value={query.text}
        onValue={(text) => set({ text })}
        placeholder="Note, address, ID or amount"
      />
      <Segments
        label="Direction"
        value={query.direction}
        onValue={(direction) => set({ direction })}
        options={[
          ["all", "All"],
          ["in", "Received"],
          ["out", "Sent"],
        ]}
      />
      <details class="more">
        <summary>More filters</summary>
        <div class="cols">
          <SelectField
            label="State"
            value={query.state}
            onValue={(state) => set({ state: state as Query["state"] })}
            options={[
              ["all", "All states"],
              ["open", "Pending or locked"],
              ["done", "Done"],
              ["failed", "Failed"],
            ]}
          />
          <span />
          <TextField label="From" type="date" value={query.from} onValue={(from) => set({ from })} />
          <TextField label="Until" type="date" value={query.to} onValue={(to) => set({ to })} />
        </div>
      </details>
      <p class="row between hint" role="status">
        <span>{history.data ? plural(found.length, "transaction") : "Loading the history"}</span>
        {filtered && (
          <Button small look="plain" onClick={() => set(everything)}>
            Clear filters
          </Button>
        )}
      </p>
      <Failed error={history.error} />
      {groups.map((g) => (
        <section key={g.day}>
          <h2 class="day">{g.day}</h2>
          <ul class="list">
            {g.items.map((t) => (
              <TransferRow
                key={t.type + t.txid + t.account + t.indices.join()}
                transfer={t}
                label={label(t)}
                onOpen={() => router.go("transfer", t.txid)}
              />
            ))}
          </ul>
        </section>
      ))}
      {history.data && found.length === 0 && (
        <div class="list">
          <Empty title={filtered ? "Nothing found" : "Nothing yet"}>
            <p>{filtered ? "Try fewer words or other dates." : "Payments that you receive and send appear here."}</p>
          </Empty>
        </div>
      )}
      {found.length > most && (
        <Button block onClick={() => setMost(most + step)}>
          Show more
        </Button>
      )}
    </div>
  );
}
