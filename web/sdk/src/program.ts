/** Starts Go programs in a worker. Go's own support script defines the class Go. */

interface GoRuntime {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
  exit: (code: number) => void;
}

declare const Go: new () => GoRuntime;

let memory: WebAssembly.Memory | undefined;

/** Returns the bytes of memory that the program of this worker uses. WebAssembly memory never shrinks. */
export const memoryTaken = (): number => memory?.buffer.byteLength ?? 0;

/**
 * Runs a program, with host as glimHost in the global scope. The promise resolves when the program calls host.ready,
 * and rejects if it ends before. ended is called if it ends later.
 */
export function run<H extends { ready(api: A): void }, A>(
  module: WebAssembly.Module,
  host: Omit<H, "ready" | "failed">,
  ended: (message: string) => void,
): Promise<A> {
  return new Promise((resolve, reject) => {
    let fail = reject as (e: Error) => void;
    const whole = {
      ...host,
      ready(api: A) {
        fail = (e) => ended(e.message);
        resolve(api);
      },
      failed: (message: string) => fail(new Error(message)),
    };
    const go = new Go();
    (globalThis as unknown as { glimHost: unknown }).glimHost = whole;
    WebAssembly.instantiate(module, go.importObject)
      .then((instance) => {
        memory = instance.exports.mem as WebAssembly.Memory;
        return go.run(instance);
      })
      .then(
        () => fail(new Error("the engine has ended")),
        (e: unknown) => fail(e instanceof Error ? e : new Error(String(e))),
      );
  });
}
