// What Node calls it.
Object.assign(globalThis, { global: globalThis });
