/**
 * URLs of the word lists by name; the engine fetches a list when it is first needed. Bundlers recognise this pattern.
 */
export const words = (): Record<string, string> => ({
  "seeds/chinese_simplified": new URL("./words/seeds/chinese_simplified.txt", import.meta.url).href,
  "seeds/dutch": new URL("./words/seeds/dutch.txt", import.meta.url).href,
  "seeds/english_old": new URL("./words/seeds/english_old.txt", import.meta.url).href,
  "seeds/esperanto": new URL("./words/seeds/esperanto.txt", import.meta.url).href,
  "seeds/french": new URL("./words/seeds/french.txt", import.meta.url).href,
  "seeds/german": new URL("./words/seeds/german.txt", import.meta.url).href,
  "seeds/italian": new URL("./words/seeds/italian.txt", import.meta.url).href,
  "seeds/japanese": new URL("./words/seeds/japanese.txt", import.meta.url).href,
  "seeds/lojban": new URL("./words/seeds/lojban.txt", import.meta.url).href,
  "seeds/portuguese": new URL("./words/seeds/portuguese.txt", import.meta.url).href,
  "seeds/russian": new URL("./words/seeds/russian.txt", import.meta.url).href,
  "seeds/spanish": new URL("./words/seeds/spanish.txt", import.meta.url).href,
  "polyseeds/chinese_simplified": new URL("./words/polyseeds/chinese_simplified.txt", import.meta.url).href,
  "polyseeds/chinese_traditional": new URL("./words/polyseeds/chinese_traditional.txt", import.meta.url).href,
  "polyseeds/czech": new URL("./words/polyseeds/czech.txt", import.meta.url).href,
  "polyseeds/french": new URL("./words/polyseeds/french.txt", import.meta.url).href,
  "polyseeds/italian": new URL("./words/polyseeds/italian.txt", import.meta.url).href,
  "polyseeds/japanese": new URL("./words/polyseeds/japanese.txt", import.meta.url).href,
  "polyseeds/korean": new URL("./words/polyseeds/korean.txt", import.meta.url).href,
  "polyseeds/portuguese": new URL("./words/polyseeds/portuguese.txt", import.meta.url).href,
  "polyseeds/spanish": new URL("./words/polyseeds/spanish.txt", import.meta.url).href,
});
