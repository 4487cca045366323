import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { IconButton } from "./button.js";

interface FieldProps {
  label: string;
  optional?: boolean;
  hint?: ComponentChildren;
  error?: string | undefined;
}

interface Wiring {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
}

/** A label, what is entered, a hint and what is wrong with it, wired for screen readers. */
export function Field({ label, optional, hint, error, children }: FieldProps & { children: (wiring: Wiring) => ComponentChildren }) {
  const id = useId();
  const described = [error ? `${id}-e` : "", hint ? `${id}-h` : ""].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>
        {label} {optional && <span class="optional">(optional)</span>}
      </label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": Boolean(error) })}
      {error && (
        <p class="error-text" id={`${id}-e`} role="alert">
          {error}
        </p>
      )}
      {hint && (
        <div class="hint" id={`${id}-h`}>
          {hint}
        </div>
      )}
    </div>
  );
}

interface TextProps extends FieldProps {
  value: string;
  onValue(value: string): void;
  placeholder?: string;
  mono?: boolean;
  rows?: number;
  type?: string;
  inputMode?: "text" | "decimal" | "numeric" | "url";
  disabled?: boolean;
  autoFocus?: boolean;
  maxLength?: number;
  onBlur?: () => void;
  end?: ComponentChildren;
  /** Words and keys: nothing may remember, correct or send them anywhere. */
  secret?: boolean;
  min?: string;
  max?: string;
}

/** A line, or several with rows, of text. */
export function TextField(props: TextProps) {
  const { value, onValue, mono, rows, end, secret, label, optional, hint, error, autoFocus, type = "text", onBlur, ...rest } = props;
  const common = {
    ...rest,
    value,
    class: `input${mono ? " mono" : ""}`,
    autocomplete: "off",
    autocapitalize: "none",
    autoCorrect: "off", // in these letters: as a property, which browsers have as well, any text would switch it on
    spellcheck: false,
    ...(secret ? { "data-1p-ignore": true, "data-lpignore": "true", "data-gramm": "false" } : {}),
    onInput: (e: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => onValue(e.currentTarget.value),
    onBlur: () => onBlur?.(),
    ref: (node: HTMLElement | null) => {
      if (autoFocus && node && !node.dataset.focused) {
        node.dataset.focused = "1";
        node.focus();
      }
    },
  };
  return (
    <Field label={label} {...(optional ? { optional } : {})} {...(hint ? { hint } : {})} error={error}>
      {(wiring) => (
        <div class={`with-end${end ? "" : " none"}`} style={end ? undefined : { display: "contents" }}>
          {rows ? <textarea {...(common as object)} {...wiring} rows={rows} /> : <input {...(common as object)} {...wiring} type={type as "text"} />}
          {end && <div class="end">{end}</div>}
        </div>
      )}
    </Field>
  );
}

/** For passwords that are looked at: then they are text like any other. */
const uncorrected: object = { autocapitalize: "none", autoCorrect: "off", spellcheck: false, "data-gramm": "false" };

/** A password, which can be looked at. */
export function PasswordField({ purpose = "current", ...props }: Omit<TextProps, "type" | "rows" | "end" | "secret"> & { purpose?: "current" | "new" }) {
  const [shown, show] = useState(false);
  const { value, onValue, label, hint, error, autoFocus, disabled = false } = props;
  return (
    <Field label={label} {...(hint ? { hint } : {})} error={error}>
      {(wiring) => (
        <div class="with-end">
          <input
            {...wiring}
            class="input"
            type={(shown ? "text" : "password") as "password"}
            value={value}
            disabled={disabled}
            autocomplete={purpose === "new" ? "new-password" : "current-password"}
            {...uncorrected}
            ref={(node: HTMLInputElement | null) => {
              if (autoFocus && node && !node.dataset.focused) {
                node.dataset.focused = "1";
                node.focus();
              }
            }}
            onInput={(e) => onValue(e.currentTarget.value)}
          />
          <div class="end">
            <IconButton small icon={shown ? "hidden" : "eye"} label={shown ? "Hide password" : "Show password"} aria-pressed={shown} onClick={() => show(!shown)} />
          </div>
        </div>
      )}
    </Field>
  );
}

interface SelectProps extends FieldProps {
  value: string;
  onValue(value: string): void;
  options: readonly (readonly [value: string, text: string])[];
  disabled?: boolean;
}

export function SelectField({ value, onValue, options, disabled = false, label, hint, error }: SelectProps) {
  return (
    <Field label={label} {...(hint ? { hint } : {})} error={error}>
      {(wiring) => (
        <select {...wiring} class="input" value={value} disabled={disabled} onChange={(e) => onValue(e.currentTarget.value)}>
          {options.map(([v, text]) => (
            <option key={v} value={v}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Check({ checked, onChecked, children }: { checked: boolean; onChecked(checked: boolean): void; children: ComponentChildren }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(e) => onChecked(e.currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}
