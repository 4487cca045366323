/** The connected sites, and how to disconnect them. */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import "./styles.js";
import { Address } from "../../wallet/src/components/address.js";
import { Button } from "../../wallet/src/components/button.js";
import { Brand } from "../../wallet/src/components/icon.js";
import type { Grant } from "./lib/site.js";
import { sites } from "./lib/sites.js";

function Sites() {
  const [all, set] = useState<Grant[] | undefined>(undefined);
  const look = (): void => void sites.all().then(set);
  useEffect(() => {
    look();
    chrome.storage.onChanged.addListener(look);
    return () => chrome.storage.onChanged.removeListener(look);
  }, []);
  const revoke = async (origin: string): Promise<void> => {
    await chrome.runtime.sendMessage({ type: "revoke", origin });
    look();
  };
  return (
    <div class="gate">
      <header>
        <Brand />
      </header>
      <main class="wide stack">
        <h1>Connected sites</h1>
        <p class="muted">
          Each site knows one subaddress, made only for it, and may ask you for payments, proofs and signatures. Nothing
          happens without your consent.
        </p>
        {all?.length === 0 && <p>No site is connected.</p>}
        {all?.map((s) => (
          <section key={s.origin} class="card stack">
            <h2>{s.origin}</h2>
            <p class="hint">
              Wallet {s.wallet}, {s.network}, since {new Date(s.since).toLocaleDateString()}
            </p>
            <Address text={s.address} />
            <Button look="danger" small icon="cross" onClick={() => void revoke(s.origin)}>
              Disconnect
            </Button>
          </section>
        ))}
      </main>
    </div>
  );
}

render(<Sites />, document.getElementById("app") ?? document.body);
