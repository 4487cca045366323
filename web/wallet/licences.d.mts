/** Returns the licences of everything that the package in folder bundles, as one text. */
export function licences(folder: string): string;
