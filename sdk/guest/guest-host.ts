import type { PreludeHost } from './prelude.ts';

/** Host calls that globals are built on; absent until they are set, and where they are not wanted. */
export const guestHost: PreludeHost = {};
