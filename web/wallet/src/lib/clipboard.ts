/** What is copied, and secrets taken off the clipboard again. */
export class Clipboard {
  #pending: (() => void) | undefined;

  /** write puts a text on the clipboard; it fails while the page has no focus. back calls when the page has it again, and returns what ends that. */
  constructor(
    readonly write: (text: string) => Promise<void>,
    readonly back: (call: () => void) => () => void,
  ) {}

  /** Copies. A secret is taken off again after so many milliseconds, or as soon after as the page has the focus; not when something else was copied here. */
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
        () => undefined, // again when the page has the focus
      );
    };
    const timer = setTimeout(() => {
      due = true;
      clear();
    }, secretFor);
    const off = this.back(clear);
    const end = (): void => {
      clearTimeout(timer);
      off();
    };
    this.#pending = end;
  }
}
