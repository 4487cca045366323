/** A newer version of the app, if the browser has one ready. */
export interface Updates {
  /** Whether another version is stored, or is in use in another tab. */
  readonly ready: boolean;
  /** Reloads the page with the other version. */
  apply(): void;
  subscribe(listener: () => void): () => void;
}

/** What is used of the browser. */
interface Surroundings {
  container: ServiceWorkerContainer;
  /** Requests the script of the service worker, and returns the HTTP status. It fails without a network. */
  status(): Promise<number>;
  /** Removes the files that service workers stored. */
  forget(): Promise<void>;
  reload(): void;
}

const script = "./sw.js";
/** Time between two checks, in milliseconds. */
const hour = 3_600_000;

/**
 * Registers the service worker and looks for newer versions: at the start, every hour, and when the page is visible
 * again. A newer version is stored beside the present one, and used when the user agrees or when all tabs were closed.
 * If the server has no service worker any more, it is removed here as well.
 */
export class ServiceWorkerUpdates implements Updates {
  ready = false;
  #waiting: ServiceWorker | undefined;
  #reloading = false;
  #checked = 0;
  readonly #listeners = new Set<() => void>();

  constructor(readonly around: Surroundings) {}

  /** Registers the service worker. It does nothing where the browser refuses. */
  async start(): Promise<void> {
    const { container } = this.around;
    const updating = container.controller !== null;
    container.addEventListener("controllerchange", () => {
      if (this.#reloading) this.around.reload();
      else if (updating) this.#offer(undefined); // another tab has changed to the newer version
    });
    if ((await this.#gone()) === true) return this.#remove();
    const registration = await container.register(script, { updateViaCache: "none" });
    const look = (): void => {
      if (registration.waiting && container.controller) this.#offer(registration.waiting);
    };
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker?.addEventListener("statechange", look);
    });
    look();
    this.#checked = Date.now();
    setInterval(() => void this.check(registration), hour);
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && Date.now() - this.#checked > hour / 6)
        void this.check(registration);
    });
  }

  /** Looks for a newer version. */
  async check(registration: ServiceWorkerRegistration): Promise<void> {
    this.#checked = Date.now();
    const gone = await this.#gone();
    if (gone) await this.#remove();
    else if (gone === false) await registration.update().catch(() => undefined);
  }

  apply(): void {
    this.#reloading = true;
    if (this.#waiting) this.#waiting.postMessage("take over");
    else this.around.reload();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #offer(worker: ServiceWorker | undefined): void {
    this.#waiting = worker;
    this.ready = true;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Whether the server says that it has no service worker; undefined if it cannot be asked. */
  #gone(): Promise<boolean | undefined> {
    return this.around.status().then(
      (status) => status === 404 || status === 410,
      () => undefined,
    );
  }

  async #remove(): Promise<void> {
    for (const registration of await this.around.container.getRegistrations()) await registration.unregister();
    await this.around.forget();
  }
}

/** Starts the service worker of the web page; undefined if the browser has no service workers. */
export function watchUpdates(): Updates | undefined {
  if (!("serviceWorker" in navigator)) return undefined;
  const updates = new ServiceWorkerUpdates({
    container: navigator.serviceWorker,
    status: async () => (await fetch(script, { method: "HEAD", cache: "no-store" })).status,
    forget: async () => {
      for (const name of await caches.keys()) if (name.startsWith("glim-files-")) await caches.delete(name);
    },
    reload: () => location.reload(),
  });
  void updates.start().catch(() => undefined); // without one, the app only needs the network to start
  return updates;
}
