import { app } from "./de/app.js";
import { extension } from "./de/extension.js";
import { failures } from "./de/failures.js";
import { pages } from "./de/pages.js";
import type { Messages } from "./types.js";

/** The messages in German. */
export const messages: Messages = { ...app, ...extension, ...failures, ...pages };
