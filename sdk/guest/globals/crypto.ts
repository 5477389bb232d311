import { webCrypto } from '../web-crypto.ts';

Object.assign(globalThis, { crypto: webCrypto });
