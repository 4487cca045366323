import { useRef } from "preact/hooks";

interface Props<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [NoInfer<T>, string])[];
  onValue(value: NoInfer<T>): void;
}

/** One of a few, all in sight. Arrow keys move between them. */
export function Segments<T extends string>({ label, value, options, onValue }: Props<T>) {
  const root = useRef<HTMLDivElement>(null);
  const move = (e: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    const at = options.findIndex(([v]) => v === value);
    const next = (at + step + options.length) % options.length;
    onValue(options[next]![0]);
    root.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div class="segments" role="radiogroup" aria-label={label} ref={root} onKeyDown={move}>
      {options.map(([v, text]) => (
        <button key={v} type="button" role="radio" aria-checked={v === value} tabIndex={v === value ? 0 : -1} onClick={() => onValue(v)}>
          {text}
        </button>
      ))}
    </div>
  );
}
