import { app } from "./it/app.js";
import { extension } from "./it/extension.js";
import { failures } from "./it/failures.js";
import { pages } from "./it/pages.js";
import type { Messages } from "./types.js";

/** The messages in Italian. */
export const messages: Messages = { ...app, ...extension, ...failures, ...pages };
