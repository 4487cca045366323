/** The messages about newer versions of the app. */
export const updates = {
  "updates.about": "Updating reloads the page and locks the wallet.",
  "updates.apply": "Update now",
  "updates.later": "Later",
  "updates.ready": "A new version is ready.",
} as const;
