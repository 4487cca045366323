import { useState } from "preact/hooks";
import { Head } from "../components/page.js";
import { PasswordGate } from "../components/secret-gate.js";
import { SeedCheck, WriteDown } from "../components/seed.js";
import { useApp, useOpen } from "../lib/context.js";
import { t } from "../lib/i18n.js";

/** Shows the seed words of the open wallet and checks that they are written down. */
export function BackupPage() {
  const { say } = useApp();
  const { live, router } = useOpen();
  const [words, setWords] = useState("");
  const [written, setWritten] = useState(false);
  return (
    <div class="stack">
      <Head
        title={words === "" ? t("backup.title") : written ? t("common.checkWords") : t("common.writeDownWords")}
        onBack={() => (written ? setWritten(false) : router.back())}
      />
      {words === "" ? (
        <section class="card stack">
          <p>{t("backup.prepare")}</p>
          <PasswordGate
            action={t("common.continue")}
            onRight={async () => setWords((await live.wallet.rpc.queryKey({ key_type: "mnemonic" })).key)}
          />
        </section>
      ) : written ? (
        <SeedCheck
          words={words}
          action={t("backup.finish")}
          onRight={async () => {
            await live.backedUp();
            setWords("");
            say(t("backup.done"));
            router.go("home");
          }}
        />
      ) : (
        <WriteDown words={words} onDone={() => setWritten(true)} />
      )}
    </div>
  );
}
