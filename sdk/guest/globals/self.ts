// What workers call it: wrappers of old packages ask for nothing else.
Object.assign(globalThis, { self: globalThis });
