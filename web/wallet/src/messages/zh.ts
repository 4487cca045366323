import { app } from "./zh/app.js";
import { demo } from "./zh/demo.js";
import { desktop } from "./zh/desktop.js";
import { extension } from "./zh/extension.js";
import { failures } from "./zh/failures.js";
import { money } from "./zh/money.js";
import { openalias } from "./zh/openalias.js";
import { pages } from "./zh/pages.js";
import { sharing } from "./zh/sharing.js";
import { switcher } from "./zh/switcher.js";
import { updates } from "./zh/updates.js";
import type { Messages } from "./types.js";

/** The messages in Chinese. */
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
