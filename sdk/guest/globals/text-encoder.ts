import { GuestTextEncoder } from '../text-encoder.ts';

Object.assign(globalThis, { TextEncoder: GuestTextEncoder });
