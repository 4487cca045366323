import { app } from "./nl/app.js";
import { demo } from "./nl/demo.js";
import { desktop } from "./nl/desktop.js";
import { extension } from "./nl/extension.js";
import { failures } from "./nl/failures.js";
import { money } from "./nl/money.js";
import { openalias } from "./nl/openalias.js";
import { pages } from "./nl/pages.js";
import { sharing } from "./nl/sharing.js";
import { switcher } from "./nl/switcher.js";
import { updates } from "./nl/updates.js";
import type { Messages } from "./types.js";

/** The messages in Dutch. */
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
