import { useId } from "preact/hooks";
import { useFixed } from "./form.js";

interface Props<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [NoInfer<T>, string])[];
  onValue(value: NoInfer<T>): void;
}

/** A choice of a few options, all visible. Arrow keys move between them. */
export function Segments<T extends string>({ label, value, options, onValue }: Props<T>) {
  const name = useId();
  const fixed = useFixed();
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {options.map(([v, text]) => (
        <label key={v}>
          <input type="radio" name={name} checked={v === value} disabled={fixed} onChange={() => onValue(v)} />
          <span>{text}</span>
        </label>
      ))}
    </div>
  );
}
