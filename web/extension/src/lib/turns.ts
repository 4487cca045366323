/**
 * Returns a function that runs steps one at a time, in the order of its calls. A step that fails does not keep the next
 * from running.
 */
export function oneAtATime(): <T>(step: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const done = last.then(step);
    last = done.catch(() => undefined);
    return done;
  };
}
