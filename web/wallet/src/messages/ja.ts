import { app } from "./ja/app.js";
import { extension } from "./ja/extension.js";
import { failures } from "./ja/failures.js";
import { pages } from "./ja/pages.js";
import type { Messages } from "./types.js";

/** The messages in Japanese. */
export const messages: Messages = { ...app, ...extension, ...failures, ...pages };
