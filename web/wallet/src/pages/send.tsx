import { useRef, useState } from "preact/hooks";
import { useOpen } from "../lib/context.js";
import type { Draft } from "../lib/engine.js";
import { usePlace } from "../lib/router.js";
import { SendForm, type Order } from "./send-form.js";
import { SendReview } from "./send-review.js";
import { Sent } from "./send-done.js";

/**
 * A payment in three steps: the form, the review, the result. The browser's back button leaves each; from the result it
 * leads to an empty form, never to sending again. about is an address or a payment link to begin with.
 */
export function Send({ about }: { about: string }) {
  const { router } = useOpen();
  const { step = 0 } = usePlace(router);
  const [order, keep] = useState<Order | undefined>(undefined);
  const sending = useRef(false);
  const [sent, setSent] = useState<{ txids: readonly string[]; draft: Draft } | undefined>(undefined);
  if (step === 2 && sent) return <Sent txids={sent.txids} draft={sent.draft} onAnother={() => router.go("send")} />;
  if (step === 1 && order) {
    return (
      <SendReview
        order={order}
        onBack={() => router.back()}
        onSending={(now) => (sending.current = now)}
        onSent={(txids, draft) => {
          keep(undefined);
          setSent({ txids, draft });
          router.step(2, true);
        }}
      />
    );
  }
  return (
    <SendForm
      about={order || sent ? "" : about}
      start={sending.current ? undefined : order}
      onDone={(o) => {
        keep(o);
        router.step(1);
      }}
    />
  );
}
