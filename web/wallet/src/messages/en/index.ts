import { app } from "./app.js";
import { demo } from "./demo.js";
import { extension } from "./extension.js";
import { failures } from "./failures.js";
import { pages } from "./pages.js";
import { sharing } from "./sharing.js";
import { switcher } from "./switcher.js";
import { updates } from "./updates.js";

/** The messages in English, which define those of every other language. */
export const en = {
  ...app,
  ...demo,
  ...extension,
  ...failures,
  ...pages,
  ...sharing,
  ...switcher,
  ...updates,
} as const;
