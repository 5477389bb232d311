import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { twoUsers, useNeighbours } from './support/neighbour.ts';
import { expectFailure, expectSuccess, put, usePlace } from './support/place.ts';

const limit = 256 * 1024 * 1024;
const config = `[exec]\nmax-memory-bytes = ${limit}\nmax-processes = 64\n`;

const place = usePlace({
  config,
  fill: async (made) => {
    await made.install(await buildGuest('program-runner'));
  },
});
const files = ['/usr/bin/bwrap', '/usr/bin/python3'];
const needs = {
  file: files.join(' and '),
  install: 'sudo apt-get install bubblewrap python3',
  isThere: () => files.every((file) => existsSync(file)),
};

/** Takes a number of bytes in a way, says so, and holds them until it is ended or a while is over. */
const holder = `
import mmap, os, socket, sys, time
way, size, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
held = []
def fill(page):
    piece = b'x' * 65536
    for at in range(0, len(page), len(piece)): page[at:at + len(piece)] = piece
def shared(bytes):
    page = mmap.mmap(-1, bytes)
    held.append(page)
    fill(page)
    return page
def nameless(bytes):
    made = os.memfd_create('held')
    os.posix_fallocate(made, 0, bytes)
    return made
def written(path, bytes):
    with open(path, 'wb') as file:
        for _ in range(bytes // 65536): file.write(b'x' * 65536)
def children(count, run):
    for _ in range(count):
        if os.fork() == 0:
            run()
            time.sleep(seconds)
            os._exit(0)
def mapped():
    for _ in range(4):
        made = nameless(size // 4)
        held.append(mmap.mmap(made, 4096))
        os.close(made)
def sent():
    for _ in range(4):
        pair = socket.socketpair()
        held.append(pair)
        made = nameless(size // 4)
        socket.send_fds(pair[0], [b'x'], [made])
        os.close(made)
def pairs():
    for _ in range(size // 8 // 212992 // 2):
        for one in [pair := socket.socketpair()][0]:
            one.setblocking(False)
            held.append(one)
            try:
                while True: one.send(b'x' * 4096)
            except BlockingIOError: pass
def internet():
    server = socket.create_server(('127.0.0.1', 0), backlog=4096)
    while size > 0 and len(held) < size // 2500000:
        one = socket.create_connection(server.getsockname())
        other, _ = server.accept()
        one.setblocking(False)
        held.extend([one, other])
        try:
            while True: one.send(b'x' * 65536)
        except BlockingIOError: pass
def tables():
    step = 2 * 1024 * 1024
    page = mmap.mmap(-1, size // 4096 * step, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
    held.append(page)
    for at in range(0, len(page), step): page[at]
ways = {
    'shared': lambda: shared(size),
    'shared, of which no page is in its table': lambda: shared(size).madvise(mmap.MADV_DONTNEED),
    'files without a name': lambda: held.extend([nameless(size // 4) for _ in range(4)]),
    'files without a name, mapped and closed': mapped,
    'files without a name, sent and closed': sent,
    'folders in memory': lambda: [written(path, size // 2) for path in ('/tmp/held', '/dev/shm/held')],
    'files of folders in memory, empty': lambda: [open('/tmp/%d' % at, 'w').close() for at in range(size * 5 // 8 // 1024)],
    'sockets of files': lambda: children(8, pairs),
    'sockets of the internet': internet,
    'tables of pages': tables,
    'many processes': lambda: children(8, lambda: held.append(bytearray(os.urandom(1024) * (size // 8 // 1024)))),
}
try:
    ways[way]()
except OSError as error:
    print(error.strerror)
print('held', flush=True)
time.sleep(seconds)
`;
const ways = [...holder.matchAll(/^ {4}'([^']+)': /gm)].map(([, way]) => way as string);

const hold = (way: string, bytes: number, seconds: number): Promise<Ran> =>
  place.run(
    'program-runner.go',
    { program: 'python3', args: ['-c', holder, way, String(bytes), String(seconds)] },
    { allow: ['fs:work', 'exec:python3'] },
  );

escapeCase('memory that no process has for itself', {
  needs,
  denied: [
    [
      'twice the limit is too much, whoever holds it',
      async () => {
        expect(ways).toHaveLength(11);
        for (const way of ways) {
          const ran = await hold(way, 2 * limit, 30);
          expect([way, ran.error?.code]).toEqual([way, 'resource-exhausted']);
          expectFailure(place, ran, {
            ...{ code: 'resource-exhausted', exit: 5 },
            says: new RegExp(`more than ${limit} bytes of memory`),
          });
        }
      },
    ],
    [
      'a folder in memory has a size, and none is without',
      async () => {
        const script = `
import json, os
found = {}
for line in open('/proc/self/mounts'):
    _, place, kind, options = line.split()[:4]
    if kind != 'tmpfs': continue
    writable = 'rw' in options.split(',') and os.access(place, os.W_OK)
    if writable: found[place] = [each for each in options.split(',') if each.startswith('size=')]
print(json.dumps(found))`;
        const ran = await place.run(
          'program-runner.go',
          { program: 'python3', args: ['-c', script] },
          { allow: ['fs:work', 'exec:python3'] },
        );
        const { stdout } = expectSuccess(ran) as { stdout: string };
        const size = ['size=262144k'];
        expect(JSON.parse(stdout)).toEqual({ '/tmp': size, '/dev/shm': size, '/caches': size });
      },
    ],
  ],
  control: [
    'a third of it is had in each way, and what many processes share counts once',
    async () => {
      for (const way of ways) {
        const ran = await hold(way, limit / 4, 0.5);
        expect([way, ran.error, expectSuccess(ran)]).toMatchObject([
          way,
          undefined,
          { stdout: 'held\n', exitCode: 0 },
        ]);
      }
      const script = `${holder.split('ways = {')[0]}
page = shared(${limit / 2})
children(8, lambda: fill(page))
for _ in range(8): os.wait()
print('shared')`;
      const args = ['-c', script, 'shared', '0', '0.5'];
      const ran = await place.run(
        'program-runner.go',
        { program: 'python3', args },
        { allow: ['fs:work', 'exec:python3'] },
      );
      expect(expectSuccess(ran)).toMatchObject({ stdout: 'shared\n' });
    },
  ],
});

const neighbours = useNeighbours();

escapeCase('memory that no process of an ordinary user has for itself', {
  needs: { ...twoUsers, isThere: () => needs.isThere() && twoUsers.isThere?.() === true },
  denied: [
    'a file without a name is too much above the limit',
    async () => {
      put(neighbours.home, 'config.toml', config);
      neighbours.asUser('true');
      expect((await holdAsUser(2 * limit, 30)).error?.code).toBe('resource-exhausted');
    },
  ],
  control: [
    'it is had below the limit',
    async () => {
      put(neighbours.home, 'config.toml', config);
      const ran = await holdAsUser(limit / 4, 0.2);
      expect(expectSuccess(ran)).toMatchObject({ stdout: 'held\n' });
    },
  ],
});

function holdAsUser(bytes: number, seconds: number): Promise<Ran> {
  put(neighbours.work, 'hold.py', holder);
  const words = `python3 hold.py 'files without a name' ${bytes} ${seconds}`;
  return neighbours.cuervo([
    ...['run', 'shell.run', JSON.stringify({ command: words }), '--json'],
    ...['--workspace', neighbours.work],
    ...['--allow', 'fs:work', '--allow', 'fs-write:work', '--allow', 'exec:python3'],
  ]);
}
