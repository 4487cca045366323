import { app } from "./ru/app.js";
import { extension } from "./ru/extension.js";
import { failures } from "./ru/failures.js";
import { pages } from "./ru/pages.js";
import type { Messages } from "./types.js";

/** The messages in Russian. */
export const messages: Messages = { ...app, ...extension, ...failures, ...pages };
