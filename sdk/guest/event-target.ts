export class GuestEvent {
  readonly type: string;
  readonly cancelable: boolean;
  target: unknown = null;
  defaultPrevented = false;

  constructor(type: string, options: { cancelable?: boolean } = {}) {
    this.type = String(type);
    this.cancelable = options.cancelable ?? false;
  }

  preventDefault(): void {
    if (this.cancelable) this.defaultPrevented = true;
  }

  stopPropagation(): void {}

  stopImmediatePropagation(): void {}
}

type Listener = ((event: GuestEvent) => void) | { handleEvent(event: GuestEvent): void };

/** Events of one object, without a tree of others above it. */
export class GuestEventTarget {
  readonly #listeners = new Map<string, { listener: Listener; once: boolean }[]>();

  addEventListener(
    type: string,
    listener: Listener | null,
    options: boolean | { once?: boolean } = {},
  ): void {
    if (listener === null) return;
    const listeners = this.#listeners.get(type) ?? [];
    this.#listeners.set(type, listeners);
    if (listeners.some((each) => each.listener === listener)) return;
    listeners.push({ listener, once: typeof options === 'object' && options.once === true });
  }

  removeEventListener(type: string, listener: Listener | null): void {
    const listeners = this.#listeners.get(type) ?? [];
    const index = listeners.findIndex((each) => each.listener === listener);
    if (index >= 0) listeners.splice(index, 1);
  }

  dispatchEvent(event: GuestEvent): boolean {
    event.target = this;
    for (const { listener, once } of [...(this.#listeners.get(event.type) ?? [])]) {
      if (once) this.removeEventListener(event.type, listener);
      if (typeof listener === 'function') listener.call(this, event);
      else listener.handleEvent(event);
    }
    return !event.defaultPrevented;
  }
}
