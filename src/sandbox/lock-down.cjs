// Runs before anything that strangers wrote is there: in front of the program of a plugin process,
// and loaded ahead of other programs that read what strangers wrote. Node's permission model closes
// files, network, programs, workers and addons. This closes the rest to whoever comes to run
// JavaScript here anyway: what signals, what tells of the machine and its users, and what reads
// or writes by itself.
'use strict';
const { env, getBuiltinModule } = process;

/** What Node itself needs of `process`, and programs here do. */
const openOfProcess = { __proto__: null };
for (const name of [
  ...[
    'arch',
    'argv',
    'argv0',
    'chdir',
    'config',
    'cwd',
    'domain',
    'emitWarning',
    'env',
    'execArgv',
  ],
  ...['execPath', 'exit', 'exitCode', 'features', 'hrtime', 'nextTick', 'permission', 'platform'],
  ...['reallyExit', 'release', 'stderr', 'stdin', 'stdout', 'version', 'versions'],
  ...['_events', '_eventsCount', '_exiting', '_maxListeners'],
]) {
  openOfProcess[name] = true;
}
for (const name of Object.getOwnPropertyNames(process)) {
  if (!openOfProcess[name]) delete process[name];
}
// Libraries of the system read what is set there, and follow it.
process.env = Object.freeze({ __proto__: null, ...env });

/** When the engine compiles. Other flags have it write files. */
const openFlags = { __proto__: null };
for (const flag of [
  '--lazy',
  '--no-lazy',
  '--invocation-count-for-maglev=400',
  '--invocation-count-for-maglev-osr=100',
  '--invocation-count-for-turbofan=3000',
]) {
  openFlags[flag] = true;
}
/** Members that programs here use of modules that load late, if at all. */
const lateModules = {
  __proto__: null,
  'node:crypto': {
    createHash: (algorithm) => getBuiltinModule('node:crypto').createHash(algorithm),
  },
  'node:v8': {
    setFlagsFromString: (flag) => {
      if (openFlags[flag] !== true) throw new Error(`the flag ${flag} is not set here`);
      getBuiltinModule('node:v8').setFlagsFromString(flag);
    },
  },
};
process.getBuiltinModule = (name) => {
  const module = lateModules[name];
  if (module === undefined) throw new Error(`${name} is not loaded here`);
  return module;
};

const files = getBuiltinModule('node:fs');
const { realpathSync } = files;

// It says of any path whether something is there, and the permission model is not asked.
if (!module.isPreloading) delete files.realpathSync;
else if (process.permission !== undefined) {
  const { constructor: Module } = module;
  const { isBuiltin } = Module;
  const openModules = { __proto__: null };
  for (const name of ['buffer', 'fs', 'fs/promises', 'path', 'vm']) {
    openModules[name] = true;
    openModules[`node:${name}`] = true;
  }
  let program;
  const followed = { __proto__: null };
  // Node follows the path of the program, and may do so again.
  files.realpathSync = (path, options) => {
    if (program === undefined) followed[path] = true;
    else if (typeof path !== 'string' || followed[path] !== true) {
      throw new Error('no path is followed here');
    }
    return realpathSync(path, options);
  };
  Module.syncBuiltinESMExports();
  // Whatever loads something asks here: `require`, `import`, and all that loads for them.
  Module.registerHooks({
    resolve(name, context, next) {
      if (openModules[name] === true) return next(name, context);
      const isFirst = context.parentURL === undefined && !isBuiltin(name);
      // Node asks by its path, and where it is an ES module by its URL again.
      if (!isFirst || (program !== undefined && name !== program)) {
        throw new Error(`${name} is not loaded here`);
      }
      const found = next(name, context);
      program ??= found.url;
      // From now on it would only tell what there is elsewhere.
      Module._stat = () => -1;
      return found;
    },
  });
  for (const name of ['registerHooks', 'createRequire', '_readPackage']) delete Module[name];
}
