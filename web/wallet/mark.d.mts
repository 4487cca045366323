/** Returns the mark as a PNG of so many pixels in width and height; with whole, without rounded corners. */
export function mark(size: number, whole?: boolean): Uint8Array;
