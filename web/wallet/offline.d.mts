export function serviceWorker(folder: string, options?: { urgent?: boolean }): string;
export function farewell(): string;
