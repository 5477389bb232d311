import { setTimeout } from '../timers.ts';

type Listener = (event: { data: unknown }) => void;

/** One end: what is posted arrives at the other one when the jobs that wait are done. */
class GuestMessagePort {
  onmessage: Listener | null = null;
  #other: GuestMessagePort | undefined;

  static pair(): [GuestMessagePort, GuestMessagePort] {
    const [one, other] = [new GuestMessagePort(), new GuestMessagePort()];
    one.#other = other;
    other.#other = one;
    return [one, other];
  }

  postMessage(data: unknown): void {
    const other = this.#other;
    setTimeout(() => other?.onmessage?.({ data }), 0);
  }

  start(): void {}

  close(): void {
    this.#other = undefined;
  }
}

class GuestMessageChannel {
  readonly port1: GuestMessagePort;
  readonly port2: GuestMessagePort;

  constructor() {
    [this.port1, this.port2] = GuestMessagePort.pair();
  }
}

Object.assign(globalThis, { MessageChannel: GuestMessageChannel, MessagePort: GuestMessagePort });
