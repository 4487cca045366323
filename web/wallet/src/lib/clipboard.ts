/** Copies texts, and removes secrets from the clipboard again. */
export class Clipboard {
  #pending: (() => void) | undefined;

  /**
   * write puts a text on the clipboard; it fails while the page does not have the focus. onFocus calls a function when
   * the page gets it again, and returns a function that cancels this.
   */
  constructor(
    readonly write: (text: string) => Promise<void>,
    readonly onFocus: (call: () => void) => () => void,
  ) {}

  /**
   * Copies a text. A secret is removed after this many milliseconds, or as soon after that as the page has the focus,
   * unless something else was copied here meanwhile.
   */
  async copy(text: string, secretFor = 0): Promise<void> {
    await this.write(text);
    this.#pending?.();
    this.#pending = undefined;
    if (secretFor <= 0) return;
    let due = false;
    const clear = (): void => {
      if (!due) return;
      void this.write("").then(
        () => {
          if (this.#pending !== end) return;
          end();
          this.#pending = undefined;
        },
        () => undefined, // try again when the page has the focus
      );
    };
    const timer = setTimeout(() => {
      due = true;
      clear();
    }, secretFor);
    const off = this.onFocus(clear);
    const end = (): void => {
      clearTimeout(timer);
      off();
    };
    this.#pending = end;
  }
}
