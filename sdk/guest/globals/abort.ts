import { GuestEvent, GuestEventTarget } from '../event-target.ts';

class GuestAbortSignal extends GuestEventTarget {
  aborted = false;
  reason: unknown;
  onabort: ((event: GuestEvent) => void) | null = null;

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  static abort(reason?: unknown): GuestAbortSignal {
    const signal = new GuestAbortSignal();
    abort(signal, reason);
    return signal;
  }

  static any(signals: Iterable<GuestAbortSignal>): GuestAbortSignal {
    const all = new GuestAbortSignal();
    for (const one of signals) {
      if (one.aborted) abort(all, one.reason);
      else one.addEventListener('abort', () => abort(all, one.reason));
    }
    return all;
  }

  static timeout(ms: number): GuestAbortSignal {
    const signal = new GuestAbortSignal();
    const { setTimeout } = globalThis as { setTimeout?: (run: () => void, ms: number) => unknown };
    setTimeout?.(() => abort(signal, new DOMException('the time is over', 'TimeoutError')), ms);
    return signal;
  }
}

function abort(signal: GuestAbortSignal, reason?: unknown): void {
  if (signal.aborted) return;
  signal.aborted = true;
  signal.reason = reason ?? new DOMException('This operation was aborted', 'AbortError');
  const event = new GuestEvent('abort');
  signal.onabort?.(event);
  signal.dispatchEvent(event);
}

class GuestAbortController {
  readonly signal = new GuestAbortSignal();

  abort(reason?: unknown): void {
    abort(this.signal, reason);
  }
}

Object.assign(globalThis, { AbortController: GuestAbortController, AbortSignal: GuestAbortSignal });
