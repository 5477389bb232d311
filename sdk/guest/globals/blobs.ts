import { GuestBlob, GuestFile } from '../blob.ts';

Object.assign(globalThis, { Blob: GuestBlob, File: GuestFile });
