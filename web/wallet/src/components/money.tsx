import { useState } from "preact/hooks";
import { t } from "../lib/i18n.js";
import { amountIn, format, parts, parse } from "../lib/amount.js";
import { visible } from "../lib/payee.js";
import { Field } from "./field.js";
import { useFixed } from "./form.js";
import { PasteInto } from "./sharing.js";

interface Props {
  value: bigint;
  /** With "in", shows a plus sign. */
  sign?: "in" | "out" | undefined;
  off?: boolean;
  /** For lists with little space: leaves out the last decimals. */
  brief?: boolean;
}

/** An amount: the important decimals are emphasised, the others stay readable. */
export function Money({ value, sign, off = false, brief = false }: Props) {
  const p = parts(value);
  const small = /^0*$/.test(p.whole + p.head);
  const before = sign === "in" ? "+" : sign === "out" ? "\u2212" : p.sign;
  return (
    <span class={`amount${off ? " off" : sign === "in" ? " in" : ""}${brief && !small ? " brief" : ""}`}>
      <span aria-hidden="true">
        {before}
        {p.whole}.{p.head}
        <span class="tail">{p.tail}</span>
        <span class="unit">XMR</span>
      </span>
      <span class="sr">{spokenAmount(format(value), sign)}</span>
    </span>
  );
}

/** Returns an amount for screen readers. */
function spokenAmount(amount: string, sign: "in" | "out" | undefined): string {
  if (sign === "in") return t("money.plus", { amount });
  return sign === "out" ? t("money.minus", { amount }) : t("money.amount", { amount });
}

interface InputProps {
  label: string;
  text: string;
  onText(text: string): void;
  optional?: boolean;
  large?: boolean;
  disabled?: boolean;
  hint?: string | undefined;
  error?: string | undefined;
}

/** An input for an amount. Errors are shown when it loses the focus, not while typing. */
export function AmountField({ label, text, onText, optional, large, hint, error, disabled = false }: InputProps) {
  const [left, leave] = useState(false);
  const fixed = useFixed();
  const entry = parse(text);
  const wrong = left && text !== "" && "problem" in entry ? entry.problem : undefined;
  return (
    <Field label={label} {...(optional ? { optional } : {})} {...(hint ? { hint } : {})} error={error ?? wrong}>
      {(wiring) => (
        <div class="with-end">
          <input
            {...wiring}
            class={`input num${large ? " amount-input" : ""}`}
            style={large ? { "--length": Math.max(text.length, 1) } : undefined}
            inputMode="decimal"
            autocomplete="off"
            placeholder="0.00"
            value={text}
            disabled={disabled}
            readOnly={fixed}
            maxLength={40}
            onInput={(e) => {
              leave(false);
              onText(visible(e.currentTarget.value));
            }}
            onBlur={() => leave(true)}
          />
          {!disabled && (
            <PasteInto
              what={label}
              onText={(pasted) => {
                leave(true);
                onText(visible(amountIn(pasted)));
              }}
            />
          )}
          <span class="unit" aria-hidden="true">
            XMR
          </span>
        </div>
      )}
    </Field>
  );
}
