import { app } from "./es/app.js";
import { extension } from "./es/extension.js";
import { failures } from "./es/failures.js";
import { pages } from "./es/pages.js";
import type { Messages } from "./types.js";

/** The messages in Spanish. */
export const messages: Messages = { ...app, ...extension, ...failures, ...pages };
