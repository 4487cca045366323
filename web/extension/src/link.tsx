/** What is special about a payment link that the user clicked: its amount may be missing, and nobody is told the end. */
import { useState } from "preact/hooks";
import { AmountField } from "../../wallet/src/components/money.js";
import { Button } from "../../wallet/src/components/button.js";
import { Notice } from "../../wallet/src/components/notice.js";
import { Fact, Facts } from "../../wallet/src/components/page.js";
import { t } from "../../wallet/src/lib/i18n.js";
import { parse } from "../../wallet/src/lib/amount.js";
import { Frame } from "./frame.js";

interface Props {
  origin: string;
  onDecline(): void;
}

/** Asks for the amount that a link leaves open. onAmount gets atomic units. */
export function LinkAmount({ origin, onDecline, onAmount }: Props & { onAmount(amount: bigint): void }) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string | undefined>(undefined);
  const go = (e: Event): void => {
    e.preventDefault();
    const entry = parse(text);
    if ("problem" in entry) setError(entry.problem);
    else if (entry.amount === 0n) setError(t("amount.missing"));
    else onAmount(entry.amount);
  };
  const answers = (
    <div class="answers">
      <Button onClick={onDecline}>{t("common.decline")}</Button>
      <Button look="primary" block type="submit" form="amount">
        {t("common.continue")}
      </Button>
    </div>
  );
  return (
    <Frame origin={origin} answers={answers}>
      <form id="amount" class="stack" onSubmit={go}>
        <h1>{t("link.howMuch")}</h1>
        <p>{t("link.howMuchAbout")}</p>
        <AmountField
          label={t("common.amount")}
          text={text}
          onText={(t) => {
            setText(t);
            setError(undefined);
          }}
          error={error}
          large
        />
      </form>
    </Frame>
  );
}

/** A link that cannot be paid. */
export function UnusableLink({ origin, onDecline, network }: Props & { network?: string }) {
  const answers = (
    <Button look="primary" block onClick={onDecline}>
      {t("dialog.close")}
    </Button>
  );
  return (
    <Frame origin={origin} answers={answers}>
      <h1>{t("link.unusable")}</h1>
      <p>{network === undefined ? t("link.damaged") : t("link.otherNetwork", { network })}</p>
    </Frame>
  );
}

/** The payment of a link was sent. */
export function LinkPaid({ origin, txids }: { origin: string; txids: readonly string[] }) {
  const answers = (
    <Button look="primary" block onClick={() => window.close()}>
      {t("dialog.close")}
    </Button>
  );
  return (
    <Frame origin={origin} answers={answers}>
      <h1>{t("common.sent")}</h1>
      <Notice tone="good">{t("link.sentAbout")}</Notice>
      <Facts>
        {txids.map((txid) => (
          <Fact key={txid} name={t("common.transactionId")}>
            <span class="mono">{txid}</span>
          </Fact>
        ))}
      </Facts>
    </Frame>
  );
}
