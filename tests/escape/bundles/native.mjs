/**
 * In place of the real program of a plugin process: native code, which Node's permission model
 * does not bind. Calls the C library and says what came of it; what is stopped here, the
 * sandbox of the operating system stops. With `--plain` it runs outside of one and prints.
 */
import { dlopen } from 'node:ffi';
import fs from 'node:fs';

const number = 'int32';
const { functions: c } = dlopen(null, {
  open: { arguments: ['string', number, number], return: number },
  openat: { arguments: [number, 'string', number, number], return: number },
  socket: { arguments: [number, number, number], return: number },
  kill: { arguments: [number, number], return: number },
  unshare: { arguments: [number], return: number },
  system: { arguments: ['string'], return: number },
  setsid: { arguments: [], return: number },
  shmget: { arguments: [number, 'int64', number], return: number },
  shmctl: { arguments: [number, number, 'int64'], return: number },
  msgget: { arguments: [number, number], return: number },
  msgctl: { arguments: [number, number, 'int64'], return: number },
  ptrace: { arguments: [number, number, 'int64', 'int64'], return: 'int64' },
});

const { O_RDONLY, O_WRONLY, O_CREAT } = fs.constants;
const plain = process.argv[2] === '--plain';

/** The text of an open file, or what failed. */
function textOf(fd) {
  return fd < 0 ? 'failed' : `ok ${fs.readFileSync(fd, 'utf8').trim()}`;
}

function done(result) {
  return Number(result) < 0 ? 'failed' : 'ok';
}

/** Regular files below, never through a link. */
function* filesBelow(folder) {
  let entries = [];
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    // It has ended, or may not be read.
  }
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

function opens(path, flags) {
  try {
    fs.closeSync(fs.openSync(path, flags | fs.constants.O_NONBLOCK));
    return true;
  } catch {
    return false;
  }
}

/** Files of the kernel that open for writing, and those that are root's to read and open all the same. */
function lookAtKernel(folders) {
  const files = folders.flatMap((folder) => [...filesBelow(folder)]);
  const ofKernel = files.filter((path) => /^\/proc\/[a-z][^/]*$/.test(path));
  const ofRoot = ofKernel.filter((path) => (fs.statSync(path).mode & 0o004) === 0);
  return {
    seen: files.length,
    writable: files.filter((path) => opens(path, O_WRONLY)),
    ofRoot: ofRoot.filter((path) => opens(path, O_RDONLY)),
  };
}

/** Where a process tells a path of the host: all but the lists of mounts, which always do. */
function tellsPath(needle) {
  const found = [];
  const look = (path, read) => {
    try {
      if (read(path).includes(needle)) found.push(path);
    } catch {
      // It has ended, or may not be read.
    }
  };
  for (const id of ['self', ...fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))]) {
    for (const name of ['cmdline', 'environ', 'comm', 'status', 'maps', 'smaps', 'cgroup']) {
      look(`/proc/${id}/${name}`, (path) => fs.readFileSync(path, 'latin1'));
    }
    for (const name of ['cwd', 'exe', 'root']) look(`/proc/${id}/${name}`, fs.readlinkSync);
    let open = [];
    try {
      open = fs.readdirSync(`/proc/${id}/fd`);
    } catch {
      // It has ended, or may not be read.
    }
    for (const descriptor of open) look(`/proc/${id}/fd/${descriptor}`, fs.readlinkSync);
  }
  return found;
}

/** Each inherited file without a name: read, written by its descriptor, and opened again to write. */
function nameless() {
  const open = fs.readdirSync('/proc/self/fd').map(Number);
  const isNameless = (fd) => {
    try {
      return fs.fstatSync(fd).isFile() && fs.fstatSync(fd).nlink === 0;
    } catch {
      // Of the list itself.
      return false;
    }
  };
  const writes = (fd) => {
    try {
      return fs.writeSync(fd, '') === 0;
    } catch {
      return false;
    }
  };
  return open.filter(isNameless).map((fd) => ({
    read: opens(`/proc/self/fd/${fd}`, O_RDONLY),
    written: writes(fd),
    openedAgain: opens(`/proc/self/fd/${fd}`, O_WRONLY),
  }));
}

/** A segment, or a queue, that is made and taken away again. */
function made(id, remove) {
  if (id >= 0) remove(id, 0, 0n);
  return done(id);
}

function probe({ rootFd, outside, home, port, pid, up, leaked = -1 }) {
  return {
    readInside: textOf(c.openat(rootFd, 'inside.txt', O_RDONLY, 0)),
    readSecret: textOf(c.open(`${outside}/secret.txt`, O_RDONLY, 0)),
    readAbove: textOf(c.openat(rootFd, `${up}${outside}/secret.txt`, O_RDONLY, 0)),
    readBeside: textOf(c.openat(rootFd, '../outside/secret.txt', O_RDONLY, 0)),
    readThroughLink: textOf(c.openat(rootFd, 'link-outside', O_RDONLY, 0)),
    readLeaked: textOf(c.openat(leaked, 'secret.txt', O_RDONLY, 0)),
    readSystem: done(c.open('/etc/passwd', O_RDONLY, 0)),
    readHome: textOf(c.open(`${home}/plugins.lock`, O_RDONLY, 0)).slice(0, 6),
    readKeys: textOf(c.openat(rootFd, '.env', O_RDONLY, 0)),
    readHomeBelowRoot: textOf(c.openat(rootFd, 'state/grants.toml', O_RDONLY, 0)),
    write: done(c.openat(rootFd, 'written', O_WRONLY | O_CREAT, 0o600)),
    writeBeside: done(c.open(`${outside}/written`, O_WRONLY | O_CREAT, 0o600)),
    writeAnywhere: done(c.open(`/tmp/cuervo-probe-${port}`, O_WRONLY | O_CREAT, 0o600)),
    connect: done(c.socket(2, 1, 0)),
    signalOthers: done(c.kill(pid, 0)),
    seeOthers: fs.existsSync(`/proc/${pid}/stat`) ? 'ok' : 'failed',
    sharedMemory: made(c.shmget(0, 4096n, 0o1600), c.shmctl),
    queue: made(c.msgget(0, 0o1600), c.msgctl),
    // CLONE_FILES, which needs no right.
    unshare: done(c.unshare(0x400)),
    program: c.system('exit 7') === 7 * 256 ? 'ok' : 'failed',
    // The sandbox itself says where it starts.
    environment: Object.keys(process.env).some((name) => name !== 'PWD') ? 'ok' : 'failed',
    // PTRACE_TRACEME; last, because from here on signals stop this process.
    trace: done(c.ptrace(0, 0, 0n, 0n)),
  };
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

if (plain) {
  const inputs = JSON.parse(process.argv[3]);
  if (inputs.nameless) {
    // O_TMPFILE, of the rights that files have by habit.
    fs.openSync('/dev/shm', 0o20000000 | fs.constants.O_DIRECTORY | fs.constants.O_RDWR, 0o600);
    fs.writeSync(1, JSON.stringify(nameless()));
    process.exit(0);
  }
  if (inputs.look) {
    const found = { ...lookAtKernel(['/proc/self']), tells: tellsPath(inputs.needle) };
    fs.writeSync(1, JSON.stringify(found));
    process.exit(0);
  }
  const rootFd = fs.openSync(inputs.work, O_RDONLY | fs.constants.O_DIRECTORY);
  fs.writeSync(1, JSON.stringify(probe({ ...inputs, rootFd })));
  process.exit(0);
}
const { roots } = read();
const rootFd =
  typeof roots.work === 'number'
    ? roots.work
    : fs.openSync(roots.work, O_RDONLY | fs.constants.O_DIRECTORY);
sendJson(65, { ms: 1 });
const call = read();
const inputs = JSON.parse(call.input);
if (inputs.stay) {
  // Leaves the group and the session that it was started in, and goes on for ever.
  c.setsid();
  sendJson(67, { level: 'info', message: 'here' });
  for (;;);
}
const looked = () => ({
  ...lookAtKernel(['/proc', '/sys']),
  tells: tellsPath(inputs.needle),
});
const asked = () => (inputs.look ? looked() : probe({ ...inputs, rootFd }));
const found = inputs.nameless ? nameless() : asked();
sendOutput(call.id, found);
