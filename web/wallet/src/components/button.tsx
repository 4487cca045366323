import type { ComponentChildren, ButtonHTMLAttributes } from "preact";
import { Icon, type IconName } from "./icon.js";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon" | "size"> {
  look?: "primary" | "danger" | "plain" | undefined;
  small?: boolean;
  block?: boolean;
  icon?: IconName;
  /** Shows that the action is running; the button is then disabled. */
  busy?: boolean;
  children?: ComponentChildren;
}

export function Button({
  look,
  small,
  block,
  icon,
  busy = false,
  children,
  disabled,
  type = "button",
  ...rest
}: Props) {
  const classes = ["btn", look, small && "small", block && "block"].filter(Boolean).join(" ");
  return (
    <button {...rest} type={type} class={classes} disabled={Boolean(disabled) || busy} aria-busy={busy}>
      {busy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} size={small ? 16 : 18} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon" | "label" | "size"> {
  icon: IconName;
  /** The accessible name. */
  label: string;
  small?: boolean;
}

/** A button with an icon only. */
export function IconButton({ icon, label, small = false, ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} class={`btn plain icon${small ? " small" : ""}`} aria-label={label} title={label}>
      <Icon name={icon} size={small ? 17 : 20} />
    </button>
  );
}
