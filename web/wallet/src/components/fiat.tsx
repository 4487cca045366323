import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { format, parse } from "../lib/amount.js";
import { useApp } from "../lib/context.js";
import { ago, money, t } from "../lib/i18n.js";
import {
  addressOf,
  askRate,
  bought,
  fetchSources,
  interval,
  keepKnown,
  parseFiat,
  readKnown,
  stale,
  fiatValue,
  worth,
  type Rate,
  type RateSource,
} from "../lib/rates.js";
import { playing } from "../lib/settings.js";
import { Button } from "./button.js";
import { Field } from "./field.js";
import { useFixed } from "./form.js";

/** The rate that the app shows amounts with. */
export interface Rates {
  /** The sources that can be chosen. */
  sources: readonly RateSource[];
  /** The chosen one; undefined while fiat amounts are off. */
  source: RateSource | undefined;
  rate: Rate | undefined;
  /** Why the source could not be asked the last time: it failed, or the browser does not allow it. */
  trouble: "" | "failed" | "denied";
  /** Asks the source, if it was not asked in the last minutes. */
  again(): void;
}

const off: Rates = { sources: [], source: undefined, rate: undefined, trouble: "", again: () => undefined };
const RatesContext = createContext<Rates>(off);

export const useRates = (): Rates => useContext(RatesContext);

/**
 * Asks the chosen source for the rate, while the page is visible and at most every few minutes, also counting what other
 * pages of the app asked. While no source is chosen, it asks none.
 */
export function RatesProvider({ children }: { children: ComponentChildren }) {
  const { settings, platform } = useApp();
  const [sources, setSources] = useState<readonly RateSource[]>([]);
  const [rate, setRate] = useState<Rate | undefined>(undefined);
  const [trouble, setTrouble] = useState<Rates["trouble"]>("");
  const [count, setCount] = useState(0);
  const [, tick] = useState(0); // so that the age of the rate is shown as it is
  const { rates: chosen, currency } = settings;
  const source = sources.find((s) => s.id === chosen && s.currencies.includes(currency));

  useEffect(() => void fetchSources().then(setSources), []);

  useEffect(() => {
    setRate(undefined);
    setTrouble("");
    if (!source) return;
    let gone = false;
    let busy = false;
    const look = async (): Promise<void> => {
      if (busy || gone || document.visibilityState === "hidden") return;
      busy = true;
      try {
        const { rate: last, tried } = await readKnown(platform, source, currency);
        if (gone) return;
        setRate(last);
        if (Date.now() - tried < interval) return setTrouble(!last || last.at < tried ? "failed" : "");
        if (platform.allowed && !(await platform.allowed([addressOf(source, currency)]))) return setTrouble("denied");
        const now = Date.now();
        await keepKnown(platform, source, currency, { rate: last, tried: now });
        const next = await askRate(source, currency);
        await keepKnown(platform, source, currency, { rate: next, tried: now });
        if (gone) return;
        setRate(next);
        setTrouble("");
      } catch {
        if (!gone) setTrouble("failed");
      } finally {
        busy = false;
      }
    };
    const timer = setInterval(() => {
      tick((n) => n + 1);
      void look();
    }, 30_000);
    const visible = (): void => void look();
    document.addEventListener("visibilitychange", visible);
    void look();
    return () => {
      gone = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", visible);
    };
  }, [source, currency, platform, count]);

  const again = (): void => setCount((n) => n + 1);
  return <RatesContext.Provider value={{ sources, source, rate, trouble, again }}>{children}</RatesContext.Provider>;
}

/** The age of a rate and its source. An old rate is marked. */
export function RateAge({ rate }: { rate: Rate }) {
  return (
    <span class={stale(rate) ? "rate-age warn-text" : "rate-age"}>
      {t(stale(rate) ? "fiat.oldRate" : "fiat.rate", { source: rate.source, age: ago(new Date(rate.at)) })}
    </span>
  );
}

/** What an amount is worth, if fiat amounts are on and a rate is known. */
export function Fiat({ value, age = false }: { value: bigint; age?: boolean }) {
  const { settings } = useApp();
  const { source, rate, trouble } = useRates();
  if (!source) return null;
  if (!rate) {
    return trouble && age ? <p class="muted small">{noRate(source, trouble)}</p> : null;
  }
  const amount = money(fiatValue(worth(value, rate)), rate.currency);
  const real = settings.network === "mainnet" && !playing(settings);
  return (
    <p class="fiat muted num" data-fiat>
      <span>{real ? `\u2248 ${amount}` : t("fiat.ifReal", { amount })}</span>
      {age && (
        <span class="small">
          <RateAge rate={rate} />
        </span>
      )}
    </p>
  );
}

/** Says calmly why there is no rate. */
export function noRate(source: RateSource, trouble: Rates["trouble"]): string {
  return trouble === "denied" ? t("fiat.denied", { source: source.name }) : t("fiat.silent", { source: source.name });
}

/**
 * Below an amount in XMR: what it is worth, and a field in which it can be entered in the currency. The result is an
 * amount of XMR, which stays the same when the rate changes. If the amount changes otherwise, by typing or by a payment
 * link, the field ends: it would show what the payer does not pay.
 */
export function FiatEntry({ text, onText }: { text: string; onText(xmr: string): void }) {
  const { rate } = useRates();
  const [entered, setEntered] = useState<{ fiat: string; gave: string } | undefined>(undefined);
  const fixed = useFixed();
  if (!rate) return null;
  const amount = parse(text);
  const entry = entered?.gave === text ? entered.fiat : undefined;
  const fiat = entry === undefined ? undefined : parseFiat(entry);
  if (entry === undefined) {
    return (
      <div class="row between">
        {"amount" in amount ? <Fiat value={amount.amount} /> : <span />}
        <Button small look="plain" onClick={() => setEntered({ fiat: "", gave: text })}>
          {t("fiat.enterIn", { currency: rate.currency })}
        </Button>
      </div>
    );
  }
  return (
    <div class="stack tight">
      <Field
        label={t("fiat.amountIn", { currency: rate.currency })}
        error={entry !== "" && fiat === undefined ? t("fiat.digits") : undefined}
      >
        {(wiring) => (
          <div class="with-end">
            <input
              {...wiring}
              class="input num"
              inputMode="decimal"
              autocomplete="off"
              placeholder="0.00"
              maxLength={24}
              readOnly={fixed}
              value={entry}
              onInput={(e) => {
                const typed = e.currentTarget.value;
                const parsed = parseFiat(typed);
                const gave = parsed === undefined ? "" : format(bought(parsed, rate));
                setEntered({ fiat: typed, gave });
                onText(gave);
              }}
            />
            <span class="unit" aria-hidden="true">
              {rate.currency}
            </span>
          </div>
        )}
      </Field>
      <div class="row between">
        <span class="small muted">
          {t("fiat.price", { amount: "1 XMR", price: money(fiatValue(rate.price), rate.currency) })}
          {"\u2003"}
          <RateAge rate={rate} />
        </span>
        <Button small look="plain" onClick={() => setEntered(undefined)}>
          {t("fiat.enterIn", { currency: "XMR" })}
        </Button>
      </div>
    </div>
  );
}
