import { GuestTextDecoder } from '../text-decoder.ts';

Object.assign(globalThis, { TextDecoder: GuestTextDecoder });
