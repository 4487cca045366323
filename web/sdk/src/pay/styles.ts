/** The look of the button. A page changes it with the custom properties below, and with ::part. */
export const css = `
:host {
  --pay-accent: var(--monero-pay-accent, light-dark(#0f4a3f, #8fd9c2));
  --pay-on-accent: var(--monero-pay-on-accent, light-dark(#ffffff, #06241d));
  --pay-surface: var(--monero-pay-surface, light-dark(#ffffff, #1d2322));
  --pay-ink: var(--monero-pay-ink, light-dark(#17201d, #eef1ee));
  --pay-ink-2: var(--monero-pay-ink-2, light-dark(#4c5652, #b3bdb9));
  --pay-line: var(--monero-pay-line, light-dark(#85877c, #6f7d7a));
  --pay-radius: var(--monero-pay-radius, 12px);
  display: inline-grid;
  gap: 8px;
  justify-items: start;
  font: var(--monero-pay-font, 500 16px/1.4 system-ui, sans-serif);
  letter-spacing: normal;
  text-align: start;
  text-transform: none;
}
:host([hidden]), [hidden] { display: none !important; }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
:host([theme="auto"]) { color-scheme: light dark; }
* { box-sizing: border-box; }
button, a.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 10px;
  min-width: 44px;
  min-height: 44px;
  margin: 0;
  padding: 8px 18px;
  border: 1px solid var(--pay-line);
  border-radius: var(--pay-radius);
  background: none;
  color: var(--pay-ink);
  font: inherit;
  text-decoration: none;
  cursor: pointer;
}
button.pay, a.button {
  border-color: var(--pay-accent);
  background: var(--pay-accent);
  color: var(--pay-on-accent);
  font-weight: 600;
}
button.other { border-color: currentColor; color: inherit; }
button:hover:enabled, a.button:hover { filter: brightness(1.08); }
button:disabled { cursor: default; opacity: 0.75; }
:focus-visible { outline: 3px solid var(--pay-accent); outline-offset: 2px; }
button svg { flex: none; }
.status { margin: 0; max-width: 44ch; color: inherit; font-size: 0.875em; overflow-wrap: anywhere; }
.status:empty { display: none; }
dialog {
  width: min(26rem, calc(100vw - 24px));
  max-height: calc(100dvh - 24px);
  margin: auto;
  padding: 20px;
  overflow-y: auto;
  border: 1px solid var(--pay-line);
  border-radius: calc(var(--pay-radius) * 1.5);
  background: var(--pay-surface);
  color: var(--pay-ink);
}
dialog::backdrop { background: rgb(0 0 0 / 0.55); }
header { display: flex; align-items: center; justify-content: space-between; gap: 12px; margin-bottom: 8px; }
h2 { margin: 0; font-size: 1.15em; font-weight: 650; }
header button { flex: none; padding: 8px; border-color: transparent; }
p { margin: 0 0 12px; color: var(--pay-ink-2); }
ul { display: grid; gap: 8px; margin: 0; padding: 0; list-style: none; }
ul button { width: 100%; justify-content: flex-start; padding: 10px 14px; }
ul img { width: 28px; height: 28px; border-radius: 6px; }
figure { display: grid; justify-items: center; margin: 0 0 14px; padding: 14px;
  border-radius: var(--pay-radius); background: #fff; }
figure svg { width: min(240px, 62vw); height: auto; }
dl { margin: 0 0 14px; }
dl > div { padding: 6px 0; }
dt { color: var(--pay-ink-2); font-size: 0.875em; }
dd { display: flex; align-items: center; justify-content: space-between; gap: 10px; margin: 0;
  overflow-wrap: anywhere; }
dd > button { flex: none; padding: 8px; }
.mono { font-family: ui-monospace, monospace; font-size: 0.875em; }
a.button { width: 100%; }
@media (prefers-reduced-motion: no-preference) {
  button, a.button { transition: filter 0.15s; }
}
@media (forced-colors: active) {
  button.pay, a.button { border: 2px solid ButtonText; }
}
`;
