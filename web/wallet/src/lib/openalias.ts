import type { LookedUp } from "glim/openalias";
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp, useOpen } from "./context.js";
import { failure, plain } from "./errors.js";
import { t } from "./i18n.js";
import { networkOf } from "./settings.js";

export type { LookedUp };

/** What became of looking a name up: what it stands for, or why it cannot be paid, for the user. */
export type Outcome = { found: LookedUp; error?: undefined } | { found?: undefined; error: string };

/** The names that a form has looked up. */
export interface Names {
  /** Whether names can be looked up here, although the user may not have chosen a resolver yet. */
  possible: boolean;
  /** Whether the user has chosen a resolver. */
  on: boolean;
  /** Looks a name up; one that was found, or is being looked up, is not asked for again. */
  look(name: string): Promise<Outcome>;
  /** What became of a name; "asked" while the resolver is asked, undefined before. */
  outcome(name: string): Outcome | "asked" | undefined;
}

/**
 * Returns the names that a form has looked up. They are found by the name alone, so a late result never belongs to a
 * name that was entered since. start is what is known already.
 */
export function useNames(start: readonly LookedUp[]): Names {
  const { platform, settings } = useApp();
  const { live } = useOpen();
  // The page of `glim app` may connect to that program only, which looks names up itself.
  const { desktop } = platform;
  const { resolver } = settings;
  const on = desktop ? desktop.names : resolver !== "";
  const network = networkOf(settings);
  const [known, set] = useState<ReadonlyMap<string, Outcome | "asked">>(
    () => new Map(start.map((found) => [keyOf(found.name), { found }])),
  );
  const asked = useRef(new Map<string, Promise<Outcome>>());
  const gone = useRef(new AbortController());
  useEffect(() => () => gone.current.abort(), []);

  const note = (name: string, outcome: Outcome | "asked"): void => {
    if (!gone.current.signal.aborted) set((m) => new Map(m).set(name, outcome));
  };
  const ask = async (name: string): Promise<Outcome> => {
    if (!on) return { error: t("openalias.notLookedUp") };
    try {
      const { lookUp } = await import("glim/openalias");
      const checker = { network, rpc: live.wallet.rpc };
      const { signal } = gone.current;
      // Whether to pay a name without signatures is for the user to say, before the payment is sent. glim itself gives
      // addresses of signed names only.
      const by = desktop ? {} : { resolver, acceptUnsigned: true };
      return { found: await lookUp(checker, name, { ...by, signal }) };
    } catch (e) {
      return { error: problem(e, name, desktop ? undefined : resolver) };
    }
  };

  return {
    possible: desktop?.names !== false,
    on,
    outcome: (name) => known.get(keyOf(name)),
    async look(name) {
      const key = keyOf(name);
      const last = known.get(key);
      if (typeof last === "object" && last.found) return last;
      const running = asked.current.get(key);
      if (running) return running;
      const work = ask(name);
      asked.current.set(key, work);
      note(key, "asked");
      const outcome = await work;
      asked.current.delete(key);
      note(key, outcome);
      return outcome;
    },
  };
}

/** Different spellings of one name have the same key, see parseName of glim/openalias. */
const keyOf = (name: string): string => name.trim().replace("@", ".").replace(/\.$/, "").toLowerCase();

/** Says why a name cannot be paid. Without a resolver, `glim app` has looked it up. */
function problem(thrown: unknown, name: string, resolver = ""): string {
  const at = URL.canParse(resolver) ? new URL(resolver).host : resolver;
  switch (failure(thrown).reason) {
    case "NameNotFound":
      return t(resolver === "" ? "openalias.notSigned" : "openalias.notFound", { name });
    case "NameAmbiguous":
      return t("openalias.ambiguous", { name });
    case "ResolverUnreachable":
      return t("openalias.unreachable", { resolver: at });
    case "ResolverInvalid":
      return t("openalias.invalid", { resolver: at });
    default:
      return plain(thrown).title;
  }
}
