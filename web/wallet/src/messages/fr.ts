import { app } from "./fr/app.js";
import { demo } from "./fr/demo.js";
import { desktop } from "./fr/desktop.js";
import { extension } from "./fr/extension.js";
import { failures } from "./fr/failures.js";
import { money } from "./fr/money.js";
import { openalias } from "./fr/openalias.js";
import { pages } from "./fr/pages.js";
import { sharing } from "./fr/sharing.js";
import { switcher } from "./fr/switcher.js";
import { updates } from "./fr/updates.js";
import type { Messages } from "./types.js";

/** The messages in French. */
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
