import { useState } from "preact/hooks";
import { PasswordField, TextField } from "../components/field.js";
import { Notice } from "../components/notice.js";
import { t } from "../lib/i18n.js";

/** The name and password of a wallet, as entered. */
export interface Login {
  name: string;
  password: string;
  again: string;
}

export const noLogin: Login = { name: "", password: "", again: "" };

const most = 64;

/** Returns what is wrong with a name or a password; "" if nothing. */
export function loginProblem(l: Login, names: readonly string[]): { name: string; password: string; again: string } {
  const name = l.name.trim();
  return {
    name:
      name === ""
        ? t("newWallet.noName")
        : names.includes(name)
          ? t("newWallet.nameTaken")
          : name.length > most || /[/\\\p{Cc}]/u.test(name) || name.startsWith(".")
            ? t("newWallet.badName")
            : "",
    password: l.password === "" ? t("newWallet.noPassword") : "",
    again: l.again !== l.password ? t("common.passwordsDiffer") : "",
  };
}

/** Returns an unused name. */
export function freeName(names: readonly string[]): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? t("newWallet.myWallet") : t("newWallet.walletNumber", { number: n });
    if (!names.includes(name)) return name;
  }
}

/** The fields of a new wallet's name and password. */
export function LoginFields({
  value,
  onValue,
  names,
  tried,
}: {
  value: Login;
  onValue(l: Login): void;
  names: readonly string[];
  tried: boolean;
}) {
  const [left, leave] = useState({ name: false, again: false });
  const wrong = loginProblem(value, names);
  const weak = value.password !== "" && value.password.length < 10;
  return (
    <>
      <TextField
        label={t("common.walletName")}
        value={value.name}
        onValue={(name) => onValue({ ...value, name })}
        onBlur={() => leave({ ...left, name: true })}
        error={tried || (left.name && value.name !== "") ? wrong.name || undefined : undefined}
        maxLength={most}
      />
      <div class="cols">
        <PasswordField
          label={t("common.password")}
          purpose="new"
          value={value.password}
          onValue={(password) => onValue({ ...value, password })}
          error={tried ? wrong.password || undefined : undefined}
        />
        <PasswordField
          label={t("newWallet.passwordAgain")}
          purpose="new"
          value={value.again}
          onValue={(again) => onValue({ ...value, again })}
          error={
            tried || (value.again !== "" && value.again.length >= value.password.length)
              ? wrong.again || undefined
              : undefined
          }
        />
      </div>
      {weak ? <Notice tone="warn">{t("newWallet.weak")}</Notice> : <p class="hint">{t("newWallet.passwordAbout")}</p>}
    </>
  );
}
