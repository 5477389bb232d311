// Loaded ahead of a program that runs a model. Native code of packages is there, and Node's permission
// model does not bind it; this closes to JavaScript what such a program never needs: what signals, what
// tells of the machine and its users, and modules that read, write or connect by themselves.
'use strict';
const { _kill, env, getBuiltinModule, pid } = process;

for (const name of [
  ...[
    '_debugEnd',
    '_debugProcess',
    '_kill',
    '_linkedBinding',
    'abort',
    'addUncaughtExceptionCaptureCallback',
  ],
  ...['binding', 'constrainedMemory', 'debugPort', 'execve', 'getActiveResourcesInfo', 'getegid'],
  ...[
    'geteuid',
    'getgid',
    'getgroups',
    'getuid',
    'initgroups',
    'kill',
    'loadEnvFile',
    'mainModule',
  ],
  ...['ppid', 'ref', 'report', 'setegid', 'seteuid', 'setgid', 'setgroups', 'setuid', 'title'],
  ...['umask', 'unref'],
]) {
  delete process[name];
}
// A process whose kernel is gone ends itself at once.
const killSignal = 9;
process.kill = (target, signal) => {
  if (target !== pid || signal !== 'SIGKILL') throw new Error('no process is signalled here');
  _kill.call(process, pid, killSignal);
};
// Libraries of the system read what is set there, and follow it. Packages set names of their own.
process.env = { __proto__: null, ...env };
const os = getBuiltinModule('node:os');
for (const name of ['hostname', 'networkInterfaces', 'setPriority', 'userInfo']) delete os[name];
const crypto = getBuiltinModule('node:crypto');
for (const name of ['setEngine', 'setFips']) delete crypto[name];

/** What the packages that run models load of Node. */
const openModules = { __proto__: null };
for (const name of [
  ...[
    'assert',
    'async_hooks',
    'buffer',
    'child_process',
    'console',
    'constants',
    'crypto',
    'events',
  ],
  ...['fs', 'fs/promises', 'module', 'net', 'os', 'path', 'process', 'stream', 'stream/promises'],
  ...['string_decoder', 'timers', 'timers/promises', 'tty', 'url', 'util', 'worker_threads'],
]) {
  openModules[name] = true;
  openModules[`node:${name}`] = true;
}
process.getBuiltinModule = (name) => {
  if (openModules[name] !== true) throw new Error(`${name} is not loaded here`);
  return getBuiltinModule(name);
};

if (process.permission !== undefined) {
  const { constructor: Module } = module;
  const { isBuiltin } = Module;
  Module.registerHooks({
    resolve(name, context, next) {
      if (isBuiltin(name) && openModules[name] !== true)
        throw new Error(`${name} is not loaded here`);
      return next(name, context);
    },
  });
}
