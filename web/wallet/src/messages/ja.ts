import { app } from "./ja/app.js";
import { demo } from "./ja/demo.js";
import { desktop } from "./ja/desktop.js";
import { extension } from "./ja/extension.js";
import { failures } from "./ja/failures.js";
import { money } from "./ja/money.js";
import { openalias } from "./ja/openalias.js";
import { pages } from "./ja/pages.js";
import { sharing } from "./ja/sharing.js";
import { switcher } from "./ja/switcher.js";
import { updates } from "./ja/updates.js";
import type { Messages } from "./types.js";

/** The messages in Japanese. */
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
