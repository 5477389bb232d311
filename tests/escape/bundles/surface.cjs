/**
 * In place of the program of a process that is locked down: what of Node can be reached there, by
 * every way there is, and what comes of it where it is used. Reads what to try from standard input
 * and prints what it found.
 */
const fs = require('node:fs');

const { modules, outside, scratch, secretText, pid } = JSON.parse(fs.readFileSync(0, 'utf8'));
const { promises } = fs;
const Module = module.constructor;

/** `ok …`, or `failed` with the code: whoever is let through must have done something. */
async function attempt(run) {
  setOut();
  try {
    const value = await run();
    return `ok ${typeof value === 'object' ? 'a value' : String(value).slice(0, 200)}`;
  } catch (error) {
    return `failed ${error.code ?? error.message}`;
  }
}

const ways = {
  require: (name) => require(name),
  import: (name) => import(name),
  get: (name) => process.getBuiltinModule(name) ?? fail(),
  load: (name) => Module._load(name),
  loadAsMain: (name) => Module._load(name, null, true),
  create: (name) => Module.createRequire('/')(name),
  script: (name) => {
    const { Script, constants } = require('node:vm');
    const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    return new Script(`import('${name}')`, { importModuleDynamically }).runInThisContext();
  },
  compile: (name) => {
    const other = new Module('/program.cjs');
    other._compile(`module.exports = require('${name}')`, '/program.cjs');
    return other.exports;
  },
};

function fail() {
  throw new Error('nothing came');
}

/** What one call may have removed is there for the next one; a locked process can do none of it. */
function setOut() {
  try {
    fs.rmSync(made, { recursive: true, force: true });
    fs.mkdirSync(`${outside}/empty`, { recursive: true });
    fs.writeFileSync(secret, secretText);
  } catch {}
}

/** A module by the first way that leads to it. */
async function reach(name) {
  for (const way of Object.values(ways)) {
    try {
      return (await way(name)) ?? fail();
    } catch {}
  }
  return fail();
}

const secret = `${outside}/secret.txt`;
const made = `${scratch}/made`;

/** What the permission model was seen to let through, or does not speak of. */
const calls = {
  sqliteReads: async () => {
    const { DatabaseSync } = await reach('node:sqlite');
    return new DatabaseSync(`${outside}/store.db`).prepare('select text from words').get().text;
  },
  sqliteWrites: async () => {
    const { DatabaseSync } = await reach('node:sqlite');
    new DatabaseSync(made).exec('create table words (text)');
  },
  localStorage: () => ('localStorage' in globalThis ? 'there' : fail()),
  heapSnapshot: async () => (await reach('node:v8')).getHeapSnapshot.name,
  heapLimitSnapshot: async () => (await reach('node:v8')).setHeapSnapshotNearHeapLimit(1),
  coverage: async () => (await reach('node:v8')).takeCoverage(),
  kill: () => process.kill(pid, 0),
  rawKill: () => process._kill(pid, 0) === 0 || fail(),
  debugOther: () => process._debugProcess(pid),
  debugSelf: async () => (await reach('node:inspector')).open(0),
  debugEnd: () => typeof process._debugEnd === 'function' || fail(),
  report: () => process.report.getReport(),
  reportOnError: () => {
    process.report.directory = scratch;
    process.report.reportOnFatalError = true;
    return process.report.directory;
  },
  certificates: async () => (await reach('node:tls')).getCACertificates('system').length,
  user: async () => (await reach('node:os')).userInfo().homedir,
  host: async () => (await reach('node:os')).hostname(),
  interfaces: async () => Object.keys((await reach('node:os')).networkInterfaces()).length,
  priority: async () => (await reach('node:os')).setPriority(0, 1),
  opensslModule: async () => {
    process.env.OPENSSL_MODULES = scratch;
    return (await reach('node:crypto')).setFips(true);
  },
  environment: () => {
    process.env.SSL_CERT_FILE = secret;
    return process.env.SSL_CERT_FILE ?? fail();
  },
  binding: () => process.binding('fs') && 'bound',
  linkedBinding: () => process._linkedBinding('fs'),
  addon: () => typeof process.dlopen === 'function' || fail(),
  replace: () => typeof process.execve === 'function' || fail(),
  user0: () => process.setuid(process.getuid()) ?? 'set',
  groups: () => process.getgroups().length,
  mask: () => process.umask(0o22),
  parent: () => process.ppid ?? fail(),
  environmentFile: () => process.loadEnvFile(secret),
  hooks: () => Module.registerHooks({}) && 'registered',
  register: () => Module.register('data:text/javascript,'),
  compileCache: () => (Module.enableCompileCache(scratch).status === 1 ? 'on' : fail()),
  types: () => Module.stripTypeScriptTypes('let a: 1'),
  tellsOfFile: () => require.resolve(secret),
  tellsByStat: () => (Module._stat(secret) === 0 ? 'there' : fail()),
  tellsByPath: () => Module._findPath('secret.txt', [outside]) || fail(),
  tellsByImport: () =>
    import(secret).catch(({ code }) =>
      code === 'ERR_ACCESS_DENIED' || code === 'ERR_UNKNOWN_FILE_EXTENSION' ? 'there' : fail(),
    ),
  tracing: async () => (await reach('node:trace_events')).createTracing({ categories: ['v8'] }),
  wasi: async () => new (await reach('node:wasi')).WASI({ version: 'preview1' }) && 'made',
  ffi: async () => (await reach('node:ffi')).dlopen(null, {}) && 'opened',
  worker: async () => new (await reach('node:worker_threads')).Worker('0', { eval: true }).ref(),
  asset: async () => (await reach('node:sea')).isSea(),
  testRunner: async () => typeof (await reach('node:test')).run,
  lookUp: async () => (await reach('node:dns')).promises.lookup('localhost'),
  // Those that write files end a process that is not started with them.
  engineFlag: async () => (await reach('node:v8')).setFlagsFromString('--stack-size=984'),
  lateEngineFlag: () => process.getBuiltinModule('node:v8').setFlagsFromString('--stack-size=984'),
};

/** Every function of `node:fs`, used on what was not granted. */
const file = [secret];
const target = [made];
/** Whoever is not root gives a file to nobody else. */
const owner = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
const fsArguments = {
  ...{ access: file, chmod: [secret, 0o777], chown: [secret, ...owner], copyFile: [secret, made] },
  ...{ cp: [secret, made], exists: file, lchmod: [secret, 0o777], lchown: [secret, ...owner] },
  ...{ link: [secret, made], lstat: file, lutimes: [secret, 1, 1], mkdir: target, mkdtemp: target },
  ...{
    open: file,
    opendir: [outside],
    readFile: file,
    readdir: [outside],
    readlink: [`${outside}/link`],
  },
  ...{ realpath: file, rename: [secret, made], rm: file, rmdir: [`${outside}/empty`], stat: file },
  ...{ statfs: [outside], symlink: [secret, made], truncate: [secret, 0], unlink: file },
  ...{ utimes: [secret, 1, 1], writeFile: [made, 'x'], appendFile: [made, 'x'] },
  ...{ mkdtempDisposable: target, glob: [`${outside}/*`], watch: [outside] },
};
const others = {
  createReadStream: () => streamed(fs.createReadStream(secret)),
  createWriteStream: () => streamed(fs.createWriteStream(made)),
  ReadStream: () => streamed(new fs.ReadStream(secret)),
  WriteStream: () => streamed(new fs.WriteStream(made)),
  FileReadStream: () => streamed(new fs.FileReadStream(secret)),
  FileWriteStream: () => streamed(new fs.FileWriteStream(made)),
  Utf8Stream: () => streamed(new fs.Utf8Stream({ dest: made })),
  openAsBlob: () => fs.openAsBlob(secret).then((blob) => blob.text()),
  watchFile: () => fs.watchFile(secret, () => {}) && 'watches',
  watch: () => fs.watch(outside).close() ?? 'watches',
  openAsBlobSync: () => fs.openAsBlobSync(secret).text(),
  fchmodSync: () => fs.fchmodSync(0, 0o600),
  fchownSync: () => fs.fchownSync(0, ...owner),
  futimesSync: () => fs.futimesSync(0, 1, 1),
  fchmod: () => called('fchmod', [0, 0o600]),
  fchown: () => called('fchown', [0, ...owner]),
  futimes: () => called('futimes', [0, 1, 1]),
};

function streamed(stream) {
  return new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.once('open', () => resolve('opened'));
    stream.once('ready', () => resolve('opened'));
  });
}

function called(name, args) {
  return new Promise((resolve, reject) => {
    fs[name](...args, (error, value) => {
      if (name === 'exists') (error === true ? resolve : reject)('there');
      else if (error) reject(error);
      else resolve(value);
    });
  });
}

/** A list that is empty tells nothing. */
function told(value) {
  return (Array.isArray(value) && value.length === 0) || value === false ? fail() : value;
}

async function promised(name, args) {
  if (name === 'watch') {
    const first = promises.watch(...args).next();
    setOut();
    return await first;
  }
  const value = promises[name](...args);
  if (name === 'glob') return told(await all(value));
  const opened = await value;
  await opened?.close?.();
  return told(opened);
}

async function all(iterable) {
  const found = [];
  for await (const each of iterable) found.push(each);
  return found;
}

async function tryFiles() {
  const found = {};
  for (const [name, run] of Object.entries(others)) found[name] = await attempt(run);
  for (const [name, args] of Object.entries(fsArguments)) {
    const { [`${name}Sync`]: sync, [name]: plain } = fs;
    if (sync) found[`${name}Sync`] = await attempt(() => told(sync(...args)));
    if (plain && name !== 'watch') {
      found[name] = await attempt(async () => told(await called(name, args)));
    }
    if (promises[name]) found[`promises.${name}`] = await attempt(() => promised(name, args));
  }
  return found;
}

function namesOf(name) {
  try {
    return Object.getOwnPropertyNames(require(name))
      .filter((each) => each !== 'default')
      .sort();
  } catch {
    return [];
  }
}

async function main() {
  const reached = {};
  for (const name of modules) {
    const by = [];
    for (const [way, load] of Object.entries(ways)) {
      if ((await attempt(() => load(name))).startsWith('ok')) by.push(way);
    }
    reached[name] = by;
  }
  const found = {
    builtin: Module.builtinModules.toSorted(),
    reached,
    process: Object.getOwnPropertyNames(process).sort(),
    exports: Object.fromEntries(modules.map((name) => [name, namesOf(name)])),
    globals: Object.getOwnPropertyNames(globalThis).sort(),
    calls: {},
    files: await tryFiles(),
  };
  for (const [name, run] of Object.entries(calls)) found.calls[name] = await attempt(run);
  fs.writeSync(1, JSON.stringify(found));
  process.exit(0);
}

void main();
