import { process } from '../node/process.ts';

Object.assign(globalThis, { process });
