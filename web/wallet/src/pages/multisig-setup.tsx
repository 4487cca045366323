import { useEffect, useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { PasswordField, SelectField } from "../components/field.js";
import { Messages } from "../components/messages.js";
import { Failed, Notice } from "../components/notice.js";
import { Section } from "../components/page.js";
import { HandOut } from "../components/transport.js";
import { useApp, useLive, useOpen, useWork } from "../lib/context.js";

/** The key exchange: a message to the others each round, theirs in return, until there is an address. */
export function MultisigSetup() {
  const { live } = useOpen();
  const { say } = useApp();
  const { kind } = useLive();
  const rpc = live.wallet.rpc;
  const begun = kind.multisig !== undefined;
  const [mine, setMine] = useState("");
  const [theirs, setTheirs] = useState<readonly string[]>([]);
  const [signers, setSigners] = useState("3");
  const [threshold, setThreshold] = useState("2");
  const [password, setPassword] = useState("");
  const work = useWork();
  const start = useWork();
  const total = kind.multisig?.total ?? Number(signers);
  const others = total - 1;

  // Asked without messages, the round under way tells its own once more: nothing is lost when the page was closed in between.
  useEffect(() => {
    if (begun && mine === "") void start.run(async () => setMine((await rpc.exchangeMultisigKeys({ multisig_info: [], force_update_use_with_caution: true })).multisig_info));
  }, [begun]);

  const next = (e: Event): void => {
    e.preventDefault();
    void work.run(async () => {
      const round = begun
        ? await rpc.exchangeMultisigKeys({ multisig_info: theirs, password })
        : await rpc.makeMultisig({ multisig_info: theirs, threshold: Number(threshold), password });
      await live.learn();
      setTheirs([]);
      setPassword("");
      if (live.kind.multisig?.ready) return say("All signers are joined");
      setMine(round.multisig_info);
      say("The next message is ready");
    });
  };

  if (mine === "" && !begun) {
    return (
      <div class="stack">
        <Notice tone="warn" title="Multisig is young">
          Use an empty wallet made for it. Its own seed words are replaced by a share that works only together with the other signers. Check that every signer sees the same address before money goes there.
        </Notice>
        <Failed error={start.error} />
        <Button look="primary" busy={start.busy} onClick={() => void start.run(async () => setMine((await rpc.prepareMultisig({ enable_multisig_experimental: true })).multisig_info))}>
          Make this wallet multisig
        </Button>
      </div>
    );
  }
  return (
    <>
      <Section title="Your message" about="Give it to each of the other signers.">
        {mine ? <HandOut kind="M" data={new TextEncoder().encode(mine)} text={mine} name={`${live.wallet.name}-multisig.txt`} /> : <Failed error={start.error} />}
      </Section>
      <form class="stack" onSubmit={next}>
        <Section title="The others' messages" about={`One of this round from each of the other ${others}.`}>
          <div class="stack">
            {!begun && (
              <div class="cols">
                <SelectField
                  label="Signers in all"
                  value={signers}
                  onValue={(v) => {
                    setSigners(v);
                    if (Number(threshold) > Number(v)) setThreshold(v);
                  }}
                  options={Array.from({ length: 15 }, (_, i) => [String(i + 2), String(i + 2)])}
                />
                <SelectField
                  label="Who must sign"
                  value={threshold}
                  onValue={setThreshold}
                  options={Array.from({ length: Number(signers) - 1 }, (_, i) => [String(i + 2), `${i + 2} of ${signers}`])}
                />
              </div>
            )}
            <Messages list={theirs} want={others} own={mine} onList={setTheirs} />
          </div>
        </Section>
        <PasswordField label="Password of this wallet" value={password} onValue={setPassword} hint="The keys are written anew, so it is needed." />
        <Failed error={work.error} />
        <Button look="primary" type="submit" busy={work.busy} disabled={theirs.length < others || password === ""}>
          {begun ? "Next round" : "Join them"}
        </Button>
      </form>
    </>
  );
}
