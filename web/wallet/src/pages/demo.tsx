import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { DemoHints } from "../components/demo-hints.js";
import { useCounterparty } from "../components/demo-banner.js";
import { Dialog } from "../components/dialog.js";
import { Check } from "../components/field.js";
import { Failed } from "../components/notice.js";
import { Fact, Facts, Head, Section } from "../components/page.js";
import { useApp, useAsked, useLive, useWork } from "../lib/context.js";
import { names } from "../lib/demo.js";
import { number, t } from "../lib/i18n.js";

/** What the counterparty pays on request, in atomic units: 0.75 XMR. */
const gift = 750_000_000_000n;

/** The demo: paying and being paid, mining, and the end. */
export function DemoPage() {
  const { engine, say } = useApp();
  const { height } = useLive();
  const counterparty = useCounterparty();
  const [ending, end] = useState(false);
  const mining = useWork();
  const asking = useWork();
  const info = useAsked(() => engine.daemon.getInfo(), [engine], [height, counterparty?.stage.kind]);
  if (!counterparty) return null;
  const mine = (count: number): void =>
    void mining.run(async () => {
      await counterparty.mine(count);
      say(t("play.mined", { count }));
    });
  return (
    <div class="stack loose">
      <Head title={t("demo.title")} about={t("demo.about")} />
      <DemoHints />
      <Section title={t("demo.receive")} about={t("demo.receiveAbout", { name: names.other })}>
        <div class="card stack">
          <Failed error={asking.error} />
          <Button
            icon="receive"
            busy={asking.busy}
            onClick={() =>
              void asking.run(async () => {
                await counterparty.pay(gift, t("demo.noteGift", { name: names.other }));
                say(t("demo.inPool"));
              })
            }
          >
            {t("demo.ask")}
          </Button>
        </div>
      </Section>
      <Section title={t("play.mine")} about={t("demo.mineAbout")}>
        <div class="card stack">
          <Check checked={counterparty.automatic} onChecked={(on) => counterparty.setAutomatic(on)}>
            {t("demo.automatic")}
          </Check>
          <div class="row">
            <Button icon="mine" busy={mining.busy} onClick={() => mine(1)}>
              {t("demo.mineBlocks", { count: 1 })}
            </Button>
            <Button icon="mine" busy={mining.busy} onClick={() => mine(10)}>
              {t("demo.mineBlocks", { count: 10 })}
            </Button>
          </div>
          <Failed error={mining.error ?? counterparty.trouble} />
          {info.data && (
            <Facts>
              <Fact name={t("play.blocks")}>
                <span class="num">{number(info.data.height)}</span>
              </Fact>
              <Fact name={t("play.pendingTransactions")}>
                <span class="num">{number(info.data.tx_pool_size)}</span>
              </Fact>
              <Fact name={t("play.newestBlock")}>
                <span class="mono">{info.data.top_block_hash}</span>
              </Fact>
            </Facts>
          )}
        </div>
      </Section>
      <Section title={t("demo.endTitle")} about={t("demo.endAbout")}>
        <Button look="danger" icon="trash" onClick={() => end(true)}>
          {t("demo.end")}
        </Button>
      </Section>
      {ending && <EndDemo onClose={() => end(false)} />}
    </div>
  );
}

function EndDemo({ onClose }: { onClose(): void }) {
  const { demo } = useApp();
  const work = useWork();
  return (
    <Dialog title={t("demo.end")} onClose={onClose}>
      <p>{t("demo.endAbout")}</p>
      <Failed error={work.error} />
      <div class="row">
        <Button look="danger" busy={work.busy} onClick={() => void work.run(async () => demo?.end())}>
          {t("demo.endNow")}
        </Button>
        <Button busy={work.busy} onClick={() => void work.run(async () => demo?.again())}>
          {t("demo.again")}
        </Button>
      </div>
    </Dialog>
  );
}
