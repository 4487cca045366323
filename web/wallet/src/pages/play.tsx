import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { SelectField, TextField } from "../components/field.js";
import { Failed, Notice } from "../components/notice.js";
import { Fact, Facts, Head, Section } from "../components/page.js";
import { useApp, useAsked, useLive, useOpen, useWork } from "../lib/context.js";
import { number, t } from "../lib/i18n.js";
import { Text } from "../components/text.js";

/** The private chain in the page: mining and its state. */
export function Play() {
  const { engine, say } = useApp();
  const { live, router } = useOpen();
  const { height } = useLive();
  const [blocks, setBlocks] = useState("10");
  const [to, setTo] = useState("");
  const [done, setDone] = useState(0);
  const work = useWork();
  const info = useAsked(() => engine.daemon.getInfo(), [engine], [height]);

  const mine = (count: number): void =>
    void work.run(async (signal) => {
      const { address } = await live.wallet.rpc.getAddress();
      setDone(0);
      // A few at a time, so that the page can show the progress and stop.
      for (let left = count; left > 0 && !signal.aborted; left -= 10) {
        await engine.daemon.generateblocks({
          amount_of_blocks: BigInt(Math.min(10, left)),
          wallet_address: to.trim() || address,
        });
        setDone(count - left + Math.min(10, left));
      }
      await live.wallet.rpc.refresh({});
      live.touch();
      say(t("play.mined", { count }));
    });

  return (
    <div class="stack loose">
      <Head title={t("common.privateChain")} about={t("play.about")} />
      <Section title={t("play.mine")} about={t("play.mineAbout")}>
        <div class="card stack">
          <SelectField
            label={t("play.blocks")}
            value={blocks}
            onValue={setBlocks}
            options={[
              ["1", t("play.blocks1")],
              ["10", t("play.blocks10")],
              ["80", t("play.blocks80")],
            ]}
          />
          <TextField
            label={t("play.rewardGoesTo")}
            optional
            mono
            rows={2}
            value={to}
            onValue={setTo}
            placeholder={t("play.thisWallet")}
            hint={t("play.rewardHint")}
          />
          <Failed error={work.error} />
          {work.busy && (
            <div
              class="bar"
              role="progressbar"
              aria-label={t("play.mining")}
              aria-valuemin={0}
              aria-valuemax={Number(blocks)}
              aria-valuenow={done}
            >
              <i style={{ width: `${(100 * done) / Number(blocks)}%` }} />
            </div>
          )}
          <Button look="primary" icon="mine" busy={work.busy} onClick={() => mine(Number(blocks))}>
            {t("play.mine")}
          </Button>
        </div>
      </Section>
      <Section title={t("play.tryAPayment")}>
        <ol class="card stack tight numbered">
          <li>{t("play.tryMine")}</li>
          <li>
            <Text
              id="play.tryReceive"
              link={(text) => (
                <button type="button" class="link" onClick={() => router.go("receive")}>
                  {text}
                </button>
              )}
            />
          </li>
          <li>
            <Text
              id="play.trySend"
              link={(text) => (
                <button type="button" class="link" onClick={() => router.go("send")}>
                  {text}
                </button>
              )}
            />
          </li>
          <li>{t("play.tryArrive")}</li>
        </ol>
      </Section>
      <Section title={t("play.theChain")}>
        <div class="card">
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
          <Failed error={info.error} />
        </div>
      </Section>
      <Notice>{t("play.ends")}</Notice>
    </div>
  );
}
