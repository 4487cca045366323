import { app } from "./ko/app.js";
import { extension } from "./ko/extension.js";
import { failures } from "./ko/failures.js";
import { pages } from "./ko/pages.js";
import type { Messages } from "./types.js";

/** The messages in Korean. */
export const messages: Messages = { ...app, ...extension, ...failures, ...pages };
