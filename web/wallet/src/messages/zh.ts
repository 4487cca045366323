import { app } from "./zh/app.js";
import { extension } from "./zh/extension.js";
import { failures } from "./zh/failures.js";
import { pages } from "./zh/pages.js";
import type { Messages } from "./types.js";

/** The messages in Chinese. */
export const messages: Messages = { ...app, ...extension, ...failures, ...pages };
