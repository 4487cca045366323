/** Returns the licences of the packages that the one in folder is made of, as one text. */
export function licences(folder: string): string;
