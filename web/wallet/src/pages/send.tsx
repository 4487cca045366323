import { useState } from "preact/hooks";
import type { Draft } from "../lib/engine.js";
import { SendForm, type Order } from "./send-form.js";
import { SendReview } from "./send-review.js";
import { Sent } from "./send-done.js";

type Step = { at: "form" } | { at: "review"; order: Order } | { at: "sent"; txids: readonly string[]; draft: Draft };

/** A payment: what is wanted, what it costs, and what became of it. about is an address or a payment link to begin with. */
export function Send({ about }: { about: string }) {
  const [step, go] = useState<Step>({ at: "form" });
  const [order, keep] = useState<Order | undefined>(undefined);
  switch (step.at) {
    case "form":
      return (
        <SendForm
          about={about}
          start={order}
          onDone={(o) => {
            keep(o);
            go({ at: "review", order: o });
          }}
        />
      );
    case "review":
      return <SendReview order={step.order} onBack={() => go({ at: "form" })} onSent={(txids, draft) => go({ at: "sent", txids, draft })} />;
    case "sent":
      return (
        <Sent
          txids={step.txids}
          draft={step.draft}
          onAnother={() => {
            keep(undefined);
            go({ at: "form" });
          }}
        />
      );
  }
}
