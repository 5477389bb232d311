import * as timers from '../timers.ts';

Object.assign(globalThis, timers);
