/** Keeps track of what the user can have seen: a request may be accepted only after all of it was visible. */
import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";

type Watch = (edge: Element) => () => void;

const Watching = createContext<Watch>(() => () => undefined);

/**
 * Returns a provider for the parts of a request, and whether all parts in it have been visible. Parts that appear later,
 * such as a fee, count from then on.
 */
export function useSeen(): [(props: { children: ComponentChildren }) => ComponentChildren, boolean] {
  const [all, set] = useState(false);
  const provider = useMemo(() => {
    const edges = new Map<Element, boolean>();
    const look = (): void => set(edges.size > 0 && [...edges.values()].every(Boolean));
    const observer = new IntersectionObserver((entries) => {
      for (const e of entries) if (e.isIntersecting && edges.has(e.target)) edges.set(e.target, true);
      look();
    });
    const watch: Watch = (edge) => {
      edges.set(edge, false);
      observer.observe(edge);
      look();
      return () => {
        edges.delete(edge);
        observer.unobserve(edge);
        look();
      };
    };
    return ({ children }: { children: ComponentChildren }) => (
      <Watching.Provider value={watch}>{children}</Watching.Provider>
    );
  }, []);
  return [provider, all];
}

/** A part of a request. It was visible once its beginning and its end were, because it may be longer than the window. */
export function Part({ children }: { children: ComponentChildren }) {
  return (
    <div class="part">
      <Edge />
      {children}
      <Edge end />
    </div>
  );
}

function Edge({ end = false }: { end?: boolean }) {
  const watch = useContext(Watching);
  const ref = useRef<HTMLElement>(null);
  useEffect(() => (ref.current ? watch(ref.current) : undefined), [watch]);
  return <i ref={ref} class={`edge${end ? " end" : ""}`} aria-hidden="true" />;
}
