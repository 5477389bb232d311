import { cloneStructured } from '../structured-clone.ts';

Object.assign(globalThis, { structuredClone: cloneStructured });
