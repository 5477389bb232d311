import { spawn, spawnSync } from 'node:child_process';
import { openSync, read, writeSync } from 'node:fs';

/**
 * A file system that answers as it likes: mounts itself on a folder, runs a command, ends with it.
 * Started in a namespace of mounts of its own, so that nobody else waits for what never answers.
 *
 * `node disk-server.ts FOLDER STORY COMMAND ARGUMENT…`
 */
export type DiskStory = {
  /** path -> text */
  files: Record<string, string>;
  /** a name that is never told of; `.` for the file system itself */
  silent?: string;
  /** interrupts the command when it first waits for that name, as Ctrl+C does */
  interrupts?: boolean;
  /** a file that is there once another one was read; no time tells of it */
  appears?: { after: string; path: string; text: string };
};

type Inode = { number: number; name: string; text?: Buffer; below: Map<string, Inode> };

const call = {
  lookup: 1,
  getattr: 3,
  rename: 12,
  open: 14,
  read: 15,
  statfs: 17,
  release: 18,
  flush: 25,
};
const start = { init: 26, opendir: 27, readdir: 28, releasedir: 29 };
/** forget, interrupt, batch-forget: nobody waits for an answer */
const unanswered = new Set([2, 36, 42]);
const [enoent, enosys] = [2, 38];
const requestHeader = 40;

const [, , folder = '', storyText = '', ...command] = process.argv;
const story = JSON.parse(storyText) as DiskStory;
const inodes: Inode[] = [];
const root = newInode('.');
for (const [path, text] of Object.entries(story.files)) addFile(path, text);

const disk = openSync('/dev/fuse', 'r+');
const options = 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other';
const mounted = spawnSync('mount', ['-i', '-t', 'fuse.stranger', '-o', options, 'disk', folder], {
  stdio: ['ignore', 'ignore', 'inherit', disk],
});
if (mounted.status !== 0) process.exit(70);
serveNext();
const [program = '', ...args] = command;
const child = spawn(program, args, { stdio: 'inherit', detached: true });
child.once('exit', (code) => {
  writeSync(1, `ended with ${code}\n`);
  // What still waits for an answer is let go with its server, whose own end would wait for a read.
  process.kill(process.pid, 'SIGKILL');
});

function newInode(name: string, text?: Buffer): Inode {
  const inode = { number: inodes.length + 1, name, ...(text && { text }), below: new Map() };
  inodes.push(inode);
  return inode;
}

function addFile(path: string, text: string): void {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  let at = root;
  for (const segment of segments) {
    const next = at.below.get(segment) ?? newInode(segment);
    at.below.set(segment, next);
    at = next;
  }
  at.below.set(name, newInode(name, Buffer.from(text)));
}

function serveNext(): void {
  const request = Buffer.alloc(140_000);
  read(disk, request, 0, request.length, null, (error, bytes) => {
    if (error === null) serve(request.subarray(0, bytes));
    if (error?.code !== 'ENODEV') serveNext();
  });
}

function serve(request: Buffer): void {
  const code = request.readUInt32LE(4);
  const inode = inodes[Number(request.readBigUInt64LE(16)) - 1] ?? root;
  const body = request.subarray(requestHeader);
  const named = code === call.lookup ? body.toString('utf8', 0, body.indexOf(0)) : inode.name;
  const isSilent = story.silent === '.' || story.silent === named;
  if (unanswered.has(code)) return;
  if (isSilent && code !== start.init) {
    if (story.interrupts && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    story.interrupts = false;
    return;
  }
  const answer = answerTo(code, inode, body, named);
  const isError = typeof answer === 'number';
  const header = Buffer.alloc(16);
  header.writeUInt32LE(16 + (isError ? 0 : answer.length), 0);
  header.writeInt32LE(isError ? -answer : 0, 4);
  request.copy(header, 8, 8, 16);
  writeSync(disk, isError ? header : Buffer.concat([header, answer]));
}

function answerTo(code: number, inode: Inode, body: Buffer, named: string): Buffer | number {
  if (code === start.init)
    return bytesOf(64, [0, 7], [4, 31], [8, 131_072], [20, 131_072], [24, 1]);
  if (code === call.getattr) return Buffer.concat([Buffer.alloc(16), attributesOf(inode)]);
  if (code === call.statfs)
    return bytesOf(80, [0, 1000], [8, 1000], [40, 4096], [44, 255], [48, 4096]);
  // past the cache of the kernel, so that every read is asked for
  if (code === call.open || code === start.opendir)
    return bytesOf(16, [8, code === call.open ? 1 : 0]);
  if (code === call.read) return textOf(inode, body);
  if (code === start.readdir) return namesIn(inode, Number(body.readBigUInt64LE(8)));
  if (code === call.release || code === call.flush || code === start.releasedir)
    return Buffer.alloc(0);
  if (code === call.rename) return rename(inode, body);
  if (code !== call.lookup) return enosys;
  const found = inode.below.get(named);
  if (found === undefined) return enoent;
  return Buffer.concat([bytesOf(40, [0, found.number]), attributesOf(found)]);
}

function rename(folder: Inode, body: Buffer): Buffer {
  const [from = '', to = ''] = body.toString('utf8', 8).split('\0');
  const moved = folder.below.get(from);
  folder.below.delete(from);
  if (moved !== undefined) folder.below.set(to, { ...moved, name: to });
  return Buffer.alloc(0);
}

function textOf(inode: Inode, body: Buffer): Buffer {
  const { appears } = story;
  if (appears?.after === inode.name) addFile(appears.path, appears.text);
  const from = Number(body.readBigUInt64LE(8));
  return (inode.text ?? Buffer.alloc(0)).subarray(from, from + body.readUInt32LE(16));
}

/** The times stay what they are, whatever happens. */
function attributesOf({ number, text }: Inode): Buffer {
  const seconds = 1_700_000_000;
  const mode = text === undefined ? 0o040755 : 0o100755;
  const times = [24, 32, 40].map((at): [number, number] => [at, seconds]);
  const size = text?.length ?? 4096;
  return bytesOf(88, [0, number], [8, size], ...times, [60, mode], [64, 1], [80, 4096]);
}

function namesIn(inode: Inode, from: number): Buffer {
  const entries = [...inode.below.values()].slice(from).map(({ number, name, text }, index) => {
    const bytes = Buffer.from(name);
    const type = text === undefined ? 4 : 8;
    const length = 24 + Math.ceil(bytes.length / 8) * 8;
    const entry = bytesOf(
      length,
      [0, number],
      [8, from + index + 1],
      [16, bytes.length],
      [20, type],
    );
    bytes.copy(entry, 24);
    return entry;
  });
  return Buffer.concat(entries);
}

function bytesOf(length: number, ...fields: [at: number, value: number][]): Buffer {
  const bytes = Buffer.alloc(length);
  for (const [at, value] of fields) bytes.writeUInt32LE(value, at);
  return bytes;
}
