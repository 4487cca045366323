import { useApp } from "../lib/context.js";
import { money, spoken, t } from "../lib/i18n.js";
import { addressOf, fiatValue, forgetKnown, inLanguage } from "../lib/rates.js";
import { Button } from "./button.js";
import { noRate, RateAge, useRates } from "./fiat.js";
import { SelectField } from "./field.js";
import { Notice } from "./notice.js";

/** The settings of fiat amounts: whether they are shown, whose rate, and in which currency. */
export function RateSettings() {
  const { settings, change, platform } = useApp();
  const { sources, rate, trouble, again } = useRates();
  const chosen = sources.find((s) => s.id === settings.rates);

  /** Uses a source. The extension asks for access to it first, and uses it even so, to say that it may not ask. */
  const use = async (id: string, currency: string): Promise<void> => {
    const next = sources.find((s) => s.id === id);
    const fit = next && !next.currencies.includes(currency) ? (next.currencies[0] ?? currency) : currency;
    // The request must come first, while the browser knows that the user acted.
    if (next) await platform.allow?.([addressOf(next, fit)]).catch(() => false);
    else await forgetKnown(platform);
    await change({ rates: next ? id : "", currency: fit });
    if (id === settings.rates && trouble === "denied") again();
  };

  if (sources.length === 0) return <p class="muted">{t("fiat.noSources")}</p>;
  return (
    <>
      <div class="cols">
        <SelectField
          label={t("fiat.source")}
          value={chosen?.id ?? ""}
          onValue={(v) => void use(v, settings.currency)}
          options={[["", t("fiat.none")], ...sources.map((s) => [s.id, s.name] as const)]}
        />
        {chosen && (
          <SelectField
            label={t("fiat.currency")}
            value={settings.currency}
            onValue={(v) => void use(chosen.id, v)}
            options={chosen.currencies.map((c) => [c, c] as const)}
          />
        )}
      </div>
      {chosen && (
        <>
          <Notice icon="eye" title={t("fiat.sees", { source: chosen.name })}>
            {inLanguage(chosen.sees, spoken())} {t("fiat.limits")} {inLanguage(chosen.note, spoken())}
            {chosen.terms !== "" && (
              <>
                {" "}
                <a href={chosen.terms} target="_blank" rel="noreferrer noopener">
                  {t("fiat.terms")}
                </a>
              </>
            )}
          </Notice>
          {rate && (
            <p class="muted num" data-rate>
              {t("fiat.price", { amount: "1 XMR", price: money(fiatValue(rate.price), rate.currency) })}
              {"\u2003"}
              <RateAge rate={rate} />
            </p>
          )}
          {trouble !== "" && <p class="muted">{noRate(chosen, trouble)}</p>}
          {trouble === "denied" && (
            <Button small onClick={() => void use(chosen.id, settings.currency)}>
              {t("fiat.allow")}
            </Button>
          )}
        </>
      )}
    </>
  );
}
