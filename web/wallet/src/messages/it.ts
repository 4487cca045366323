import { app } from "./it/app.js";
import { demo } from "./it/demo.js";
import { desktop } from "./it/desktop.js";
import { extension } from "./it/extension.js";
import { failures } from "./it/failures.js";
import { money } from "./it/money.js";
import { openalias } from "./it/openalias.js";
import { pages } from "./it/pages.js";
import { sharing } from "./it/sharing.js";
import { switcher } from "./it/switcher.js";
import { updates } from "./it/updates.js";
import type { Messages } from "./types.js";

/** The messages in Italian. */
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
