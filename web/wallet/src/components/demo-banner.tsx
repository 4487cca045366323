import { useContext, useEffect, useState } from "preact/hooks";
import { CounterpartyContext, useOpen, useWork } from "../lib/context.js";
import type { Counterparty, Stage } from "../lib/counterparty.js";
import { names } from "../lib/demo.js";
import { t } from "../lib/i18n.js";
import { Button } from "./button.js";
import { Icon } from "./icon.js";
import { Text } from "./text.js";

/** Returns the demo's other side, and renders again whenever it changes. */
export function useCounterparty(): Counterparty | undefined {
  const counterparty = useContext(CounterpartyContext);
  const [, again] = useState(0);
  useEffect(() => counterparty?.subscribe(() => again((n) => n + 1)), [counterparty]);
  return counterparty;
}

/** Says what happens on the demo's chain. */
export function stageWords(stage: Stage): string {
  switch (stage.kind) {
    case "idle":
      return t("demo.idle");
    case "pool":
      return stage.paid ? t("demo.paid", { name: names.other }) : t("demo.pool");
    case "answering":
      return t("demo.answering", { name: names.other });
    case "unlocking":
      return t("demo.unlocking", { count: stage.blocks });
  }
}

/** On every page of the demo: that the money is play money, and what happens on the chain. */
export function DemoBanner() {
  const { router } = useOpen();
  const counterparty = useCounterparty();
  const work = useWork();
  if (!counterparty) return null;
  return (
    <aside class="demo-banner" aria-label={t("demo.title")}>
      <Icon name="play" />
      <p class="grow">
        <Text
          id="demo.banner"
          b={(text) => <strong>{text}</strong>}
          state={<span role="status">{counterparty.trouble?.title ?? stageWords(counterparty.stage)}</span>}
        />
      </p>
      <Button small busy={work.busy} onClick={() => void work.run(() => counterparty.mine(1))}>
        {t("demo.mineBlock")}
      </Button>
      <span class="wide">
        <Button small look="plain" onClick={() => router.go("play")}>
          {t("demo.title")}
        </Button>
      </span>
    </aside>
  );
}
