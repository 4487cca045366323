import { useState } from "preact/hooks";
import { Head } from "../components/page.js";
import { PasswordGate } from "../components/secret-gate.js";
import { SeedCheck, WriteDown } from "../components/seed.js";
import { useApp, useOpen } from "../lib/context.js";

/** Shows the seed words of the open wallet and checks that they are written down. */
export function BackupPage() {
  const { say } = useApp();
  const { live, router } = useOpen();
  const [words, setWords] = useState("");
  const [written, setWritten] = useState(false);
  return (
    <div class="stack">
      <Head
        title={words === "" ? "Back up the seed words" : written ? "Check your words" : "Write down your seed words"}
        onBack={() => (written ? setWritten(false) : router.back())}
      />
      {words === "" ? (
        <section class="card stack">
          <p>Have paper and a pen ready, and make sure that nobody and no camera sees your screen.</p>
          <PasswordGate
            action="Continue"
            onRight={async () => setWords((await live.wallet.rpc.queryKey({ key_type: "mnemonic" })).key)}
          />
        </section>
      ) : written ? (
        <SeedCheck
          words={words}
          action="Finish the backup"
          onRight={async () => {
            await live.backedUp();
            setWords("");
            say("The seed words are backed up");
            router.go("home");
          }}
        />
      ) : (
        <WriteDown words={words} onDone={() => setWritten(true)} />
      )}
    </div>
  );
}
