import { app } from "./pt/app.js";
import { extension } from "./pt/extension.js";
import { failures } from "./pt/failures.js";
import { pages } from "./pt/pages.js";
import type { Messages } from "./types.js";

/** The messages in Portuguese. */
export const messages: Messages = { ...app, ...extension, ...failures, ...pages };
