import { app } from "./fr/app.js";
import { extension } from "./fr/extension.js";
import { failures } from "./fr/failures.js";
import { pages } from "./fr/pages.js";
import type { Messages } from "./types.js";

/** The messages in French. */
export const messages: Messages = { ...app, ...extension, ...failures, ...pages };
