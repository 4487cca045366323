import { app } from "./ru/app.js";
import { demo } from "./ru/demo.js";
import { desktop } from "./ru/desktop.js";
import { extension } from "./ru/extension.js";
import { failures } from "./ru/failures.js";
import { money } from "./ru/money.js";
import { openalias } from "./ru/openalias.js";
import { pages } from "./ru/pages.js";
import { sharing } from "./ru/sharing.js";
import { switcher } from "./ru/switcher.js";
import { updates } from "./ru/updates.js";
import type { Messages } from "./types.js";

/** The messages in Russian. */
export const messages: Messages = {
  ...app,
  ...demo,
  ...desktop,
  ...extension,
  ...failures,
  ...money,
  ...openalias,
  ...pages,
  ...sharing,
  ...switcher,
  ...updates,
};
