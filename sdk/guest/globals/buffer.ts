import { Buffer } from '@jspm/core/nodelibs/buffer';

Object.assign(globalThis, { Buffer });
