// Packages build paths from these while they are set up; no file there can be read.
Object.assign(globalThis, { __dirname: '/', __filename: '/plugin.js' });
