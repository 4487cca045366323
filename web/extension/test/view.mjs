// What a person sees of a window, without scrolling.

/**
 * Returns the texts of those elements that are not completely in view: cut off by the window or a scrolling part, or
 * covered by something. Elements are compared at points all over their text.
 */
export const hidden = (page, selectors) =>
  page.evaluate((selectors) => {
    const seen = (element) => {
      const boxes = [];
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        if (text.parentElement.closest(".sr")) continue; // only for screen readers
        const range = document.createRange();
        range.selectNodeContents(text);
        boxes.push(...[...range.getClientRects()].filter((box) => box.width > 2 && box.height > 2));
      }
      return (
        boxes.length > 0 &&
        boxes.every((box) =>
          [
            [box.left + 1, box.top + 1],
            [box.right - 1, box.bottom - 1],
            [(box.left + box.right) / 2, (box.top + box.bottom) / 2],
          ].every(([x, y]) => {
            if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return false;
            const top = document.elementFromPoint(x, y);
            return top !== null && (element.contains(top) || top.contains(element));
          }),
        )
      );
    };
    return selectors.filter((selector) => {
      const all = [...document.querySelectorAll(selector)];
      return all.length === 0 || !all.every(seen);
    });
  }, selectors);

/** Sizes of the consent window: the one it asks for, less what systems take for its frame, and what users choose. */
export const windows = [
  { width: 400, height: 660 },
  { width: 384, height: 600 },
  { width: 360, height: 560 },
  { width: 768, height: 700 },
  { width: 1280, height: 800 },
];
