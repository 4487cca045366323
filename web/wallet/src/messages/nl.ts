import { app } from "./nl/app.js";
import { extension } from "./nl/extension.js";
import { failures } from "./nl/failures.js";
import { pages } from "./nl/pages.js";
import type { Messages } from "./types.js";

/** The messages in Dutch. */
export const messages: Messages = { ...app, ...extension, ...failures, ...pages };
