import { useEffect, useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { PasswordField, SelectField } from "../components/field.js";
import { Messages } from "../components/messages.js";
import { Failed, Notice } from "../components/notice.js";
import { Section } from "../components/page.js";
import { HandOut } from "../components/transport.js";
import { useApp, useLive, useOpen, useWork } from "../lib/context.js";

/** The key exchange: each round sends a message to the other signers and collects theirs, until there is an address. */
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

  // Called without messages, the current round returns its message again, so nothing is lost if the page was closed in
  // between.
  useEffect(() => {
    if (begun && mine === "")
      void start.run(async () =>
        setMine(
          (await rpc.exchangeMultisigKeys({ multisig_info: [], force_update_use_with_caution: true })).multisig_info,
        ),
      );
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
      if (live.kind.multisig?.ready) return say("The multisig wallet is ready");
      setMine(round.multisig_info);
      say("Your next message is ready");
    });
  };

  if (mine === "" && !begun) {
    return (
      <div class="stack">
        <Notice tone="warn" title="Multisig is experimental">
          Use a new, empty wallet. Its seed words are replaced by a share that works only together with the other
          signers. Check that all signers see the same address before you send money there.
        </Notice>
        <Failed error={start.error} />
        <Button
          look="primary"
          busy={start.busy}
          onClick={() =>
            void start.run(async () =>
              setMine((await rpc.prepareMultisig({ enable_multisig_experimental: true })).multisig_info),
            )
          }
        >
          Make this wallet multisig
        </Button>
      </div>
    );
  }
  return (
    <>
      <Section title="Your message" about="Give it to each of the other signers.">
        {mine ? (
          <HandOut
            kind="M"
            data={new TextEncoder().encode(mine)}
            text={mine}
            name={`${live.wallet.name}-multisig.txt`}
          />
        ) : (
          <Failed error={start.error} />
        )}
      </Section>
      <form class="stack" onSubmit={next}>
        <Section
          title="The others' messages"
          about={`One message of this round from each other signer: ${others} in total.`}
        >
          <div class="stack">
            {!begun && (
              <div class="cols">
                <SelectField
                  label="Number of signers"
                  value={signers}
                  onValue={(v) => {
                    setSigners(v);
                    if (Number(threshold) > Number(v)) setThreshold(v);
                  }}
                  options={Array.from({ length: 15 }, (_, i) => [String(i + 2), String(i + 2)])}
                />
                <SelectField
                  label="Signatures needed"
                  value={threshold}
                  onValue={setThreshold}
                  options={Array.from({ length: Number(signers) - 1 }, (_, i) => [
                    String(i + 2),
                    `${i + 2} of ${signers}`,
                  ])}
                />
              </div>
            )}
            <Messages list={theirs} want={others} own={mine} onList={setTheirs} />
          </div>
        </Section>
        <PasswordField
          label="Password of this wallet"
          value={password}
          onValue={setPassword}
          hint="Needed because new keys are stored."
        />
        <Failed error={work.error} />
        <Button look="primary" type="submit" busy={work.busy} disabled={theirs.length < others || password === ""}>
          {begun ? "Next round" : "Continue"}
        </Button>
      </form>
    </>
  );
}
