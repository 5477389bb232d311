import { performance } from '../performance.ts';

Object.assign(globalThis, { performance });
