/** Returns count distinct random positions in a list of words, in their order. */
export function asked(length: number, count: number, random: (below: number) => number = below): number[] {
  const places = Array.from({ length }, (_, i) => i);
  const chosen: number[] = [];
  while (chosen.length < count && places.length > 0) chosen.push(...places.splice(random(places.length), 1));
  return chosen.sort((a, b) => a - b);
}

function below(n: number): number {
  // Values above the largest multiple of n are drawn again, so that every position is equally likely.
  const limit = Math.floor(2 ** 32 / n) * n;
  for (;;) {
    const [x = limit] = crypto.getRandomValues(new Uint32Array(1));
    if (x < limit) return x % n;
  }
}
