import { useState } from "preact/hooks";
import { PasswordField, TextField } from "../components/field.js";
import { Notice } from "../components/notice.js";

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
        ? "Enter a name."
        : names.includes(name)
          ? "A wallet with this name already exists."
          : name.length > most || /[/\\\p{Cc}]/u.test(name) || name.startsWith(".")
            ? "This name cannot be used."
            : "",
    password: l.password === "" ? "Choose a password." : "",
    again: l.again !== l.password ? "The passwords are not the same." : "",
  };
}

/** Returns an unused name. */
export function freeName(names: readonly string[]): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? "My wallet" : `Wallet ${n}`;
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
        label="Name of the wallet"
        value={value.name}
        onValue={(name) => onValue({ ...value, name })}
        onBlur={() => leave({ ...left, name: true })}
        error={tried || (left.name && value.name !== "") ? wrong.name || undefined : undefined}
        maxLength={most}
      />
      <div class="cols">
        <PasswordField
          label="Password"
          purpose="new"
          value={value.password}
          onValue={(password) => onValue({ ...value, password })}
          error={tried ? wrong.password || undefined : undefined}
        />
        <PasswordField
          label="Password again"
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
      {weak ? (
        <Notice tone="warn">
          This password is short. Anyone who gets this device could guess it by trying. Several random words are better.
        </Notice>
      ) : (
        <p class="hint">
          It encrypts the wallet in this browser. It cannot be reset: if you forget it, only the seed words can restore
          the wallet.
        </p>
      )}
    </>
  );
}
