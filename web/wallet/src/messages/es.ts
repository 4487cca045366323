import { app } from "./es/app.js";
import { demo } from "./es/demo.js";
import { desktop } from "./es/desktop.js";
import { extension } from "./es/extension.js";
import { failures } from "./es/failures.js";
import { money } from "./es/money.js";
import { openalias } from "./es/openalias.js";
import { pages } from "./es/pages.js";
import { sharing } from "./es/sharing.js";
import { switcher } from "./es/switcher.js";
import { updates } from "./es/updates.js";
import type { Messages } from "./types.js";

/** The messages in Spanish. */
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
