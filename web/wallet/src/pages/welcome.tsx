import { Icon } from "../components/icon.js";
import { Button } from "../components/button.js";
import { useApp } from "../lib/context.js";
import { playing } from "../lib/settings.js";

interface Props {
  onCreate(): void;
  onRestore(): void;
  onPlay(): void;
  onBack: (() => void) | undefined;
}

/** The first page: what this is, and how to begin. */
export function Welcome({ onCreate, onRestore, onPlay, onBack }: Props) {
  const { settings } = useApp();
  const play = playing(settings);
  return (
    <div class="stack loose">
      <div class="stack">
        <h1 class="display">Money that is yours to see and yours to spend.</h1>
        <p class="muted">
          A Monero wallet that runs entirely in your browser. It finds your payments and signs with your keys right
          here, and needs a node only to read the chain and to send.
        </p>
      </div>
      <div class="stack tight">
        <Button look="primary" block onClick={onCreate}>
          Create a wallet
        </Button>
        <Button block onClick={onRestore}>
          Restore a wallet
        </Button>
        {onBack && (
          <Button look="plain" block onClick={onBack}>
            Back to your wallets
          </Button>
        )}
      </div>
      {!play && (
        <button type="button" class="card item" onClick={onPlay} style={{ textAlign: "left" }}>
          <span class="bullet in">
            <Icon name="play" />
          </span>
          <span class="grow">
            <span class="title">Try it on a private chain</span>
            <span class="sub wrap">
              A complete chain in this page: mine blocks, pay, and watch payments arrive. Nothing to install, no real
              money.
            </span>
          </span>
          <Icon name="right" />
        </button>
      )}
    </div>
  );
}
