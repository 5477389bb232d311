Object.assign(globalThis, { Intl: {} });
