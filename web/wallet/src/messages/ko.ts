import { app } from "./ko/app.js";
import { demo } from "./ko/demo.js";
import { desktop } from "./ko/desktop.js";
import { extension } from "./ko/extension.js";
import { failures } from "./ko/failures.js";
import { money } from "./ko/money.js";
import { openalias } from "./ko/openalias.js";
import { pages } from "./ko/pages.js";
import { sharing } from "./ko/sharing.js";
import { switcher } from "./ko/switcher.js";
import { updates } from "./ko/updates.js";
import type { Messages } from "./types.js";

/** The messages in Korean. */
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
