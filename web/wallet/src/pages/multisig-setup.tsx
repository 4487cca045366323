import { useEffect, useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { PasswordField, SelectField } from "../components/field.js";
import { Form } from "../components/form.js";
import { Messages } from "../components/messages.js";
import { Failed, Notice } from "../components/notice.js";
import { Section } from "../components/page.js";
import { HandOut } from "../components/transport.js";
import { useApp, useLive, useOpen, useWork } from "../lib/context.js";
import { t } from "../lib/i18n.js";

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
      if (live.kind.multisig?.ready) return say(t("multisigSetup.ready"));
      setMine(round.multisig_info);
      say(t("multisigSetup.nextReady"));
    });
  };

  if (mine === "" && !begun) {
    return (
      <div class="stack">
        <Notice tone="warn" title={t("multisigSetup.experimental")}>
          {t("multisigSetup.warning")}
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
          {t("multisigSetup.begin")}
        </Button>
      </div>
    );
  }
  return (
    <>
      <Section title={t("multisigSetup.yourMessage")} about={t("multisigSetup.giveIt")}>
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
      <Form busy={work.busy} class="stack" onSubmit={next}>
        <Section title={t("common.othersMessages")} about={t("multisigSetup.oneFromEach", { count: others })}>
          <div class="stack">
            {!begun && (
              <div class="cols">
                <SelectField
                  label={t("multisigSetup.numberOfSigners")}
                  value={signers}
                  onValue={(v) => {
                    setSigners(v);
                    if (Number(threshold) > Number(v)) setThreshold(v);
                  }}
                  options={Array.from({ length: 15 }, (_, i) => [String(i + 2), String(i + 2)])}
                />
                <SelectField
                  label={t("multisigSetup.signaturesNeeded")}
                  value={threshold}
                  onValue={setThreshold}
                  options={Array.from({ length: Number(signers) - 1 }, (_, i) => [
                    String(i + 2),
                    t("common.someOf", { some: i + 2, all: Number(signers) }),
                  ])}
                />
              </div>
            )}
            <Messages list={theirs} want={others} own={mine} onList={setTheirs} />
          </div>
        </Section>
        <PasswordField
          label={t("common.walletPassword")}
          value={password}
          onValue={setPassword}
          hint={t("multisigSetup.whyPassword")}
        />
        <Failed error={work.error} />
        <Button look="primary" type="submit" busy={work.busy} disabled={theirs.length < others || password === ""}>
          {begun ? t("multisigSetup.nextRound") : t("common.continue")}
        </Button>
      </Form>
    </>
  );
}
