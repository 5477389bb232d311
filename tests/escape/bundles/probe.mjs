/**
 * In place of the real program of a plugin process: what native code of that process could do
 * if a guest got out of its engine, as far as Node's permission model has a say. Tries
 * everything once and answers with what came of it. With `--plain` it prints that instead.
 */
import fs from 'node:fs';

const builtin = (name) => process.getBuiltinModule(name);

const plain = process.argv[2] === '--plain';
const inputs = plain ? JSON.parse(process.argv[3]) : undefined;

function attempt(run) {
  try {
    const value = run();
    if (!(value instanceof Promise)) return `ok ${value ?? ''}`.trim();
    return Promise.race([value, uncaught()]).then((done) => `ok ${done ?? ''}`.trim(), failed);
  } catch (thrown) {
    return failed(thrown);
  }
}

/** Some refusals are thrown where nobody can catch them. */
function uncaught() {
  return new Promise((_, reject) => {
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', reject);
  });
}

function failed(thrown) {
  const cause = thrown?.cause ?? thrown;
  return `failed ${cause?.code ?? thrown?.code ?? thrown?.message ?? thrown}`;
}

function whenConnected(port) {
  return new Promise((resolve, reject) => {
    const socket = builtin('node:net').connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket.destroy() && 'connected'));
    socket.once('error', reject);
  });
}

function whenSent(port) {
  return new Promise((resolve, reject) => {
    const socket = builtin('node:dgram').createSocket('udp4');
    socket.once('error', reject);
    socket.send('x', port, '127.0.0.1', (error) => {
      socket.close();
      if (error) reject(error);
      else resolve('sent');
    });
  });
}

/** @param root descriptor of the root, or its path where that is what the process was given */
async function probe({ port, outside, scratch, root }) {
  const at = typeof root === 'string' ? root : `/proc/self/fd/${root}`;
  const results = {
    readFile: () => fs.readFileSync('/etc/hostname').length,
    readOutside: () => fs.readFileSync(`${outside}/secret.txt`).length,
    readParent: () => fs.readFileSync(`${at}/../outside/secret.txt`).length,
    openParent: () => fs.closeSync(fs.openSync(`${at}/..`, 'r')),
    readProcRoot: () => fs.readFileSync('/proc/self/root/etc/hostname').length,
    readEnviron: () => fs.readFileSync('/proc/self/environ').length,
    readParentEnviron: () => fs.readFileSync(`/proc/${process.ppid}/environ`).length,
    list: () => fs.readdirSync('/').length,
    write: () => fs.writeFileSync(`${scratch}/written`, 'x'),
    writeBelowRoot: () => fs.writeFileSync(`${at}/written`, 'x'),
    makeDirectory: () => fs.mkdirSync(`${at}/made`),
    makeLink: () => fs.symlinkSync('/etc/hostname', `${at}/linked`),
    rename: () => {
      const [one, other] = ['inside.txt', 'moved'].map((name) => `${at}/${name}`);
      fs.renameSync(one, other);
      fs.renameSync(other, one);
    },
    remove: () => fs.rmSync(`${at}/inside.txt`, { recursive: true }),
    changeMode: () => fs.fchmodSync(open(root), 0o700),
    changeTimes: () => fs.futimesSync(open(root), 1, 1),
    connect: () => whenConnected(port),
    fetch: () =>
      fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2000) }).then(
        (got) => got.status,
      ),
    udp: () => whenSent(port),
    listen: () =>
      new Promise((resolve, reject) => {
        const server = builtin('node:net').createServer();
        server.once('error', reject);
        server.listen(0, '127.0.0.1', () => resolve(server.close() && 'listening'));
      }),
    lookUp: () =>
      builtin('node:dns/promises')
        .lookup('localhost')
        .then(() => 'found'),
    spawn: () => {
      const { error } = builtin('node:child_process').spawnSync(process.execPath, ['--version']);
      if (error) throw error;
      return 'ran';
    },
    fork: () =>
      builtin('node:child_process')
        .fork(import.meta.filename)
        .kill(),
    worker: () => void new (builtin('node:worker_threads').Worker)('0', { eval: true }).terminate(),
    workerFree: () =>
      void new (builtin('node:worker_threads').Worker)('0', {
        eval: true,
        execArgv: [],
      }).terminate(),
    wasi: () =>
      void new (builtin('node:wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } }),
    addon: () => process.dlopen({ exports: {} }, `${scratch}/none.node`),
    inspect: () => {
      const inspector = builtin('node:inspector');
      inspector.open(0);
      inspector.close();
    },
    evaluate: () => new Function('return 1')(),
    changeFolder: () => process.chdir(outside),
  };
  // First, because what comes after may remove it.
  const readBelowRoot = await attempt(() => fs.readFileSync(`${at}/inside.txt`, 'utf8').trim());
  const found = { readBelowRoot };
  for (const [name, run] of Object.entries(results)) found[name] = await attempt(run);
  found.environment = Object.keys(process.env).sort();
  found.folder = process.cwd();
  found.arguments = process.argv.slice(2);
  return found;
}

function read() {
  const fill = (buffer) => {
    let filled = 0;
    while (filled < buffer.length) {
      const got = fs.readSync(3, buffer, filled, buffer.length - filled, null);
      if (got === 0) process.exit(0);
      filled += got;
    }
    return buffer;
  };
  const header = fill(Buffer.alloc(5));
  const payload = fill(Buffer.alloc(header.readUInt32LE(0) - 1));
  if (header[4] !== 2) return JSON.parse(payload.toString());
  // A call is texts: its terms, the tool, the input.
  const inputAt = 12 + payload.readUInt32LE(4) + payload.readUInt32LE(8);
  return { id: payload.readUInt32LE(0), input: payload.toString('utf8', inputAt) };
}

function send(kind, payload) {
  const header = Buffer.alloc(5);
  header.writeUInt32LE(payload.length + 1, 0);
  header[4] = kind;
  fs.writeSync(4, Buffer.concat([header, payload]));
}

const sendJson = (kind, message) => send(kind, Buffer.from(JSON.stringify(message)));

/** The output of a call is texts, too: the content, the summary, the host calls. */
function sendOutput(id, found) {
  const content = Buffer.from(JSON.stringify(found));
  const numbers = Buffer.alloc(12);
  numbers.writeUInt32LE(id, 0);
  numbers.writeUInt32LE(content.length, 4);
  send(72, Buffer.concat([numbers, content]));
}

function open(root) {
  return typeof root === 'number' ? root : fs.openSync(root, fs.constants.O_RDONLY);
}

async function serve() {
  if (plain) {
    const rootFd = fs.openSync(inputs.work, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
    console.log(JSON.stringify(await probe({ ...inputs, root: rootFd })));
    process.exit(0);
  }
  const open = read();
  sendJson(65, { ms: 1 });
  const call = read();
  const found = await probe({ ...JSON.parse(call.input), root: open.roots.work });
  sendOutput(call.id, found);
}

void serve();
