// The global object's name in workers: wrappers of old packages look only for this one.
Object.assign(globalThis, { self: globalThis });
