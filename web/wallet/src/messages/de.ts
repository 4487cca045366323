import { app } from "./de/app.js";
import { demo } from "./de/demo.js";
import { desktop } from "./de/desktop.js";
import { extension } from "./de/extension.js";
import { failures } from "./de/failures.js";
import { money } from "./de/money.js";
import { openalias } from "./de/openalias.js";
import { pages } from "./de/pages.js";
import { sharing } from "./de/sharing.js";
import { switcher } from "./de/switcher.js";
import { updates } from "./de/updates.js";
import type { Messages } from "./types.js";

/** The messages in German. */
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
