import { useState } from "preact/hooks";
import { useOpen, useWallet, type Asked } from "../lib/context.js";
import { readOutputs, spendable, sumOf, type Output } from "../lib/outputs.js";
import { t } from "../lib/i18n.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Money } from "./money.js";
import { Failed, Notice } from "./notice.js";
import { OutputList } from "./output-list.js";
import { Empty } from "./page.js";

/** The outputs that the user chose for a payment. */
export interface Chosen {
  /** Their key images. */
  images: readonly string[];
  /** What they held when they were chosen, in atomic units. */
  sum: bigint;
}

/** What the chosen outputs of an account are worth now; undefined if the payment may spend all outputs. */
export function useChosen(account: number, chosen: Chosen | undefined): { sum: bigint; valid: boolean } | undefined {
  const outputs = useWallet(
    async (l, signal) => (chosen ? readOutputs(l.wallet, account, signal) : undefined),
    [account, chosen],
  );
  if (!chosen) return undefined;
  if (!outputs.data) return { sum: chosen.sum, valid: true };
  const wanted = new Set(chosen.images);
  const found = outputs.data.filter((o) => wanted.has(o.image) && spendable(o));
  return { sum: sumOf(found), valid: found.length === chosen.images.length };
}

/** The line of a payment that says which outputs it may spend, and lets the user choose them. */
export function ChosenOutputs({
  account,
  chosen,
  now,
  onChoose,
}: {
  account: number;
  chosen: Chosen | undefined;
  now: ReturnType<typeof useChosen>;
  onChoose(chosen: Chosen | undefined): void;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {chosen && now && (
        <p class="row between">
          <span class="muted">{t("outputs.chosen", { count: chosen.images.length })}</span>
          <span class="strong" data-chosen>
            <Money value={now.sum} />
          </span>
        </p>
      )}
      {now?.valid === false && <Notice tone="warn">{t("outputs.gone")}</Notice>}
      <div class="row between">
        {chosen ? (
          <Button small look="plain" onClick={() => onChoose(undefined)}>
            {t("outputs.useAny")}
          </Button>
        ) : (
          <span class="muted">{t("outputs.spendsAny")}</span>
        )}
        <Button small icon="coins" onClick={() => setOpen(true)}>
          {t("outputs.choose")}
        </Button>
      </div>
      {open && (
        <Chooser
          account={account}
          images={chosen?.images ?? []}
          onClose={() => setOpen(false)}
          onDone={(next) => {
            onChoose(next.images.length > 0 ? next : undefined);
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

function Chooser({
  account,
  images,
  onClose,
  onDone,
}: {
  account: number;
  images: readonly string[];
  onClose(): void;
  onDone(chosen: Chosen): void;
}) {
  const { router } = useOpen();
  const [ticked, set] = useState<ReadonlySet<string>>(new Set(images));
  const outputs: Asked<Output[]> = useWallet((l, signal) => readOutputs(l.wallet, account, signal), [account]);
  const all = outputs.data ?? [];
  const free = all.filter(spendable);
  const chosen = free.filter((o) => ticked.has(o.image));
  return (
    <Dialog title={t("outputs.choose")} onClose={onClose}>
      <p class="muted small">{t("outputs.chooseAbout")}</p>
      <Failed error={outputs.error} />
      {outputs.data && free.length === 0 && (
        <Empty title={t("outputs.noneFree")}>
          <Button small onClick={() => router.go("outputs")}>
            {t("outputs.seeAll")}
          </Button>
        </Empty>
      )}
      {free.length > 0 && (
        <>
          <div class="row">
            <Button small onClick={() => set(new Set(free.map((o) => o.image)))}>
              {t("outputs.all")}
            </Button>
            <Button small disabled={chosen.length === 0} onClick={() => set(new Set())}>
              {t("outputs.noneChosen")}
            </Button>
          </div>
          <OutputList outputs={all} ticked={{ images: ticked, set }} />
          <div class="chosen-sum stack tight">
            <p class="row between">
              <span class="muted">{t("outputs.chosen", { count: chosen.length })}</span>
              <span class="strong">
                <Money value={sumOf(chosen)} />
              </span>
            </p>
            <Button
              look="primary"
              block
              onClick={() => onDone({ images: chosen.map((o) => o.image), sum: sumOf(chosen) })}
            >
              {chosen.length > 0 ? t("outputs.useThese") : t("outputs.useAny")}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
