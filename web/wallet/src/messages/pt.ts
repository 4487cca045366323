import { app } from "./pt/app.js";
import { demo } from "./pt/demo.js";
import { desktop } from "./pt/desktop.js";
import { extension } from "./pt/extension.js";
import { failures } from "./pt/failures.js";
import { money } from "./pt/money.js";
import { openalias } from "./pt/openalias.js";
import { pages } from "./pt/pages.js";
import { sharing } from "./pt/sharing.js";
import { switcher } from "./pt/switcher.js";
import { updates } from "./pt/updates.js";
import type { Messages } from "./types.js";

/** The messages in Portuguese. */
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
