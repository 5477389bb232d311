// Packages join them to paths while they are set up; a file there cannot be read.
Object.assign(globalThis, { __dirname: '/', __filename: '/plugin.js' });
