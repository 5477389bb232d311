import { GuestEvent, GuestEventTarget } from '../event-target.ts';

class GuestCustomEvent extends GuestEvent {
  readonly detail: unknown;

  constructor(type: string, options: { detail?: unknown; cancelable?: boolean } = {}) {
    super(type, options);
    this.detail = options.detail ?? null;
  }
}

Object.assign(globalThis, {
  Event: GuestEvent,
  EventTarget: GuestEventTarget,
  CustomEvent: GuestCustomEvent,
});
