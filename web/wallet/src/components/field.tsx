import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { visible } from "../lib/payee.js";
import { IconButton } from "./button.js";
import { useFixed } from "./form.js";
import { t } from "../lib/i18n.js";

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

/** Moves the focus to the first field with an error, once it is shown. Call it when a form is not accepted. */
export function showFirstError(form: EventTarget | null): void {
  setTimeout(() => (form as HTMLElement | null)?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 60);
}

/** A label, an input, a hint and an error, connected for screen readers. */
export function Field({
  label,
  optional,
  hint,
  error,
  children,
}: FieldProps & { children: (wiring: Wiring) => ComponentChildren }) {
  const id = useId();
  const described = [error ? `${id}-e` : "", hint ? `${id}-h` : ""].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>
        {label} {optional && <span class="optional">{t("field.optional")}</span>}
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
  /** For seed words and keys: the browser must not store, correct or send them. */
  secret?: boolean;
  min?: string;
  max?: string;
}

/** A text input; with rows, of several lines. */
export function TextField(props: TextProps) {
  const {
    value,
    onValue,
    mono,
    rows,
    end,
    secret,
    label,
    optional,
    hint,
    error,
    autoFocus,
    type = "text",
    onBlur,
    ...rest
  } = props;
  const common = {
    ...rest,
    value,
    readOnly: useFixed(),
    class: `input${mono ? " mono" : ""}`,
    autocomplete: "off",
    autocapitalize: "none",
    autoCorrect: "off", // in lower case, as an attribute: browsers turn the property of this name on for any text
    spellcheck: false,
    ...(secret ? { "data-1p-ignore": true, "data-lpignore": "true", "data-gramm": "false" } : {}),
    onInput: (e: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => onValue(visible(e.currentTarget.value)),
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
          {rows ? (
            <textarea {...(common as object)} {...wiring} rows={rows} />
          ) : (
            <input {...(common as object)} {...wiring} type={type as "text"} />
          )}
          {end && <div class="end">{end}</div>}
        </div>
      )}
    </Field>
  );
}

/** For passwords that are shown as plain text, which would otherwise be corrected like any text. */
const uncorrected: object = { autocapitalize: "none", autoCorrect: "off", spellcheck: false, "data-gramm": "false" };

/**
 * A password input that can show what is typed. After a failure with the password it gets the focus again, which the
 * disabled button has lost.
 */
export function PasswordField({
  purpose = "current",
  failed,
  ...props
}: Omit<TextProps, "type" | "rows" | "end" | "secret"> & {
  purpose?: "current" | "new";
  /** The last failure, if any. */
  failed?: unknown;
}) {
  const [shown, show] = useState(false);
  const input = useRef<HTMLInputElement | null>(null);
  const fixed = useFixed();
  useEffect(() => {
    if (failed) input.current?.focus();
  }, [failed]);
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
            readOnly={fixed}
            autocomplete={purpose === "new" ? "new-password" : "current-password"}
            {...uncorrected}
            ref={(node: HTMLInputElement | null) => {
              input.current = node;
              if (autoFocus && node && !node.dataset.focused) {
                node.dataset.focused = "1";
                node.focus();
              }
            }}
            onInput={(e) => onValue(e.currentTarget.value)}
          />
          <div class="end">
            <IconButton
              small
              icon={shown ? "hidden" : "eye"}
              label={shown ? t("field.hidePassword") : t("field.showPassword")}
              aria-pressed={shown}
              onClick={() => show(!shown)}
            />
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
  const fixed = useFixed();
  return (
    <Field label={label} {...(hint ? { hint } : {})} error={error}>
      {(wiring) => (
        <select
          {...wiring}
          class="input"
          value={value}
          disabled={disabled || fixed}
          onChange={(e) => onValue(e.currentTarget.value)}
        >
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

export function Check({
  checked,
  disabled = false,
  onChecked,
  children,
}: {
  checked: boolean;
  disabled?: boolean;
  onChecked(checked: boolean): void;
  children: ComponentChildren;
}) {
  const fixed = useFixed();
  return (
    <label class={`check${disabled ? " off" : ""}`}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled || fixed}
        onChange={(e) => onChecked(e.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
