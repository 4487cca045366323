import { useState, type Dispatch, type StateUpdater } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { useLive } from "../lib/context.js";
import { sorted, spendable, type Order, type Output } from "../lib/outputs.js";
import { ago, t } from "../lib/i18n.js";
import { addressName } from "../lib/labels.js";
import { duration } from "../lib/progress.js";
import { moment } from "../lib/time.js";
import { Button } from "./button.js";
import { SelectField } from "./field.js";
import { Icon } from "./icon.js";
import { Money } from "./money.js";

const blockTime = 120_000;
/** How many outputs are shown at first, and with every further step. */
const step = 50;

/** Outputs in a list, in an order that the user chooses. Each has an action of its own, or all can be ticked. */
export function OutputList({
  outputs,
  onOpen,
  action,
  ticked,
}: {
  outputs: readonly Output[];
  /** Called with the output that the user opens. */
  onOpen?(o: Output): void;
  action?(o: Output): ComponentChildren;
  /** The key images of the ticked outputs. Only outputs that can be spent can be ticked; they come first. */
  ticked?: { images: ReadonlySet<string>; set: Dispatch<StateUpdater<ReadonlySet<string>>> };
}) {
  const [order, setOrder] = useState<Order>("newest");
  const [shown, show] = useState(step);
  const all = sorted(outputs, order);
  const list = ticked ? [...all.filter(spendable), ...all.filter((o) => !spendable(o))] : all;
  const tick = (image: string): void =>
    ticked?.set((old) => {
      const next = new Set(old);
      if (!next.delete(image)) next.add(image);
      return next;
    });
  return (
    <div class="stack">
      {list.length > 1 && (
        <SelectField
          label={t("outputs.order")}
          value={order}
          onValue={(v) => setOrder(v as Order)}
          options={[
            ["newest", t("outputs.newest")],
            ["largest", t("outputs.largest")],
          ]}
        />
      )}
      <ul class="list outputs">
        {list.slice(0, shown).map((o) => (
          <li key={`${o.txid} ${o.image} ${o.amount}`} class="pick">
            {ticked ? (
              <label class={`item${spendable(o) ? "" : " off"}`}>
                <input
                  type="checkbox"
                  checked={ticked.images.has(o.image)}
                  disabled={!spendable(o)}
                  onChange={() => tick(o.image)}
                />
                <About output={o} />
              </label>
            ) : (
              <button type="button" class="item" onClick={() => onOpen?.(o)}>
                <span class="bullet">
                  <Icon name={o.frozen ? "cold" : o.unlocked ? "coins" : "lock"} size={18} />
                </span>
                <About output={o} />
              </button>
            )}
            {action?.(o)}
          </li>
        ))}
      </ul>
      {list.length > shown && (
        <Button block onClick={() => show(shown + step)}>
          {t("outputs.more")}
        </Button>
      )}
    </div>
  );
}

/** The amount, the address, the age and the state of an output. */
function About({ output: o }: { output: Output }) {
  const live = useLive();
  const left = Math.max(1, o.unlocks.height - live.height);
  return (
    <span class="grow">
      <span class="title wrap">
        <Money value={o.amount} />
      </span>
      <span class="sub wrap">
        {addressName({ address_index: o.address, label: o.label })}
        {"\u2003" /* a space, because the time may be on the next line */}
        {o.date ? (
          <time class="whole" dateTime={o.date.toISOString()} title={moment(o.date)}>
            {ago(o.date)}
          </time>
        ) : (
          t("outputs.atBlock", { height: o.height })
        )}
      </span>
      {(o.frozen || !o.unlocked || o.image === "") && (
        <span class="states">
          {o.frozen && <span class="tag">{t("outputs.frozen")}</span>}
          {!o.unlocked && (
            <span class="tag warn">
              {o.unlocks.date && o.unlocks.date.getTime() > Date.now()
                ? t("outputs.lockedUntil", { date: moment(o.unlocks.date) })
                : t("outputs.lockedBlocks", { count: left, duration: duration(left * blockTime) })}
            </span>
          )}
          {o.image === "" && <span class="tag warn">{t("outputs.unknown")}</span>}
        </span>
      )}
    </span>
  );
}
