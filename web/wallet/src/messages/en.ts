import { app } from "./en/app.js";
import { extension } from "./en/extension.js";
import { failures } from "./en/failures.js";
import { pages } from "./en/pages.js";

/** The messages in English, which define those of every other language. */
export const en = { ...app, ...extension, ...failures, ...pages } as const;
