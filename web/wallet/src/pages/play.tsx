import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { SelectField, TextField } from "../components/field.js";
import { Failed, Notice } from "../components/notice.js";
import { Fact, Facts, Head, Section } from "../components/page.js";
import { useApp, useAsked, useLive, useOpen, useWork } from "../lib/context.js";
import { plural } from "../lib/progress.js";

/** The private chain in the page: mining and its state. */
export function Play() {
  const { engine, say } = useApp();
  const { live, router } = useOpen();
  const { height } = useLive();
  const [blocks, setBlocks] = useState("10");
  const [to, setTo] = useState("");
  const [done, setDone] = useState(0);
  const work = useWork();
  const info = useAsked(() => engine.daemon.getInfo(), [engine, height]);

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
      say(`${plural(count, "block")} mined`);
    });

  return (
    <div class="stack loose">
      <Head
        title="Private chain"
        about="A complete Monero chain in this page. You are its only miner, and its money is worthless."
      />
      <Section
        title="Mine"
        about={
          "Each block pays its miner a reward, which can be spent 60 blocks later. A payment needs 16 such outputs to " +
          "hide among. Mining also confirms payments."
        }
      >
        <div class="card stack">
          <SelectField
            label="Blocks"
            value={blocks}
            onValue={setBlocks}
            options={[
              ["1", "1: confirms pending payments"],
              ["10", "10: unlocks a payment"],
              ["80", "80: gives you money to spend"],
            ]}
          />
          <TextField
            label="Reward goes to"
            optional
            mono
            rows={2}
            value={to}
            onValue={setTo}
            placeholder="This wallet"
            hint="Or the address of another wallet on this chain."
          />
          <Failed error={work.error} />
          {work.busy && (
            <div
              class="bar"
              role="progressbar"
              aria-label="Mining"
              aria-valuemin={0}
              aria-valuemax={Number(blocks)}
              aria-valuenow={done}
            >
              <i style={{ width: `${(100 * done) / Number(blocks)}%` }} />
            </div>
          )}
          <Button look="primary" icon="mine" busy={work.busy} onClick={() => mine(Number(blocks))}>
            Mine
          </Button>
        </div>
      </Section>
      <Section title="Try a payment">
        <ol class="card stack tight numbered">
          <li>Mine 80 blocks to this wallet.</li>
          <li>
            Lock it, create a second wallet, and copy its address from{" "}
            <button type="button" class="link" onClick={() => router.go("receive")}>
              Receive
            </button>
            .
          </li>
          <li>
            Lock it, open the first one again, and{" "}
            <button type="button" class="link" onClick={() => router.go("send")}>
              send
            </button>
            .
          </li>
          <li>Mine a block, and open the second wallet to see the payment arrive.</li>
        </ol>
      </Section>
      <Section title="The chain">
        <div class="card">
          {info.data && (
            <Facts>
              <Fact name="Blocks">
                <span class="num">{info.data.height.toLocaleString("en")}</span>
              </Fact>
              <Fact name="Pending transactions">
                <span class="num">{info.data.tx_pool_size.toLocaleString("en")}</span>
              </Fact>
              <Fact name="Newest block">
                <span class="mono">{info.data.top_block_hash}</span>
              </Fact>
            </Facts>
          )}
          <Failed error={info.error} />
        </div>
      </Section>
      <Notice>The chain exists as long as this page. Reloading starts a new one, and deletes the wallets on it.</Notice>
    </div>
  );
}
