import { app } from "./en/app.js";
import { demo } from "./en/demo.js";
import { desktop } from "./en/desktop.js";
import { extension } from "./en/extension.js";
import { failures } from "./en/failures.js";
import { money } from "./en/money.js";
import { openalias } from "./en/openalias.js";
import { pages } from "./en/pages.js";
import { sharing } from "./en/sharing.js";
import { switcher } from "./en/switcher.js";
import { updates } from "./en/updates.js";

/** The messages in English, which define those of every other language. */
export const en = {
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
} as const;
