import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectSuccess, type Place, usePlace } from './support/place.ts';

const fill = async (made: Place): Promise<void> => {
  await made.install(await buildGuest('program-runner'));
};
const place = usePlace({ fill });
/** The same without the sandbox: what its owner wrote into the configuration. */
const open = usePlace({ config: '[exec]\nsandbox = "none"\n', fill });

const files = ['/usr/bin/bwrap', '/usr/bin/python3'];
const needs = {
  file: `${files.join(' and ')} on x64`,
  install: 'sudo apt-get install bubblewrap python3',
  isThere: () => process.arch === 'x64' && files.every((file) => existsSync(file)),
};

/**
 * System calls by their numbers, past every library, with arguments that no call takes: whoever
 * may make them is told of the arguments (EINVAL, EFAULT, EBADF, …), also without being root.
 */
const probe = `
import ctypes, json, os
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(each) for each in arguments])
    return 'ok' if result >= 0 else os.strerror(ctypes.get_errno())
clone_fs = 0x200
found = {
    'io_uring_setup': call(425, 0, 0),
    'userfaultfd': call(323, 0x41),
    'keyctl': call(250, 9999),
    'add_key': call(248, 1, 1, 1, 1, 0),
    'perf_event_open': call(298, 1, 0, -1, -1, 0),
    'process_vm_readv': call(310, os.getpid(), 0, 0, 0, 0, 0),
    'unshare': call(272, 0x400),
    'setns': call(308, -1, 0),
    'clone into a user namespace': call(56, 0x10000000 | clone_fs, 0, 0, 0, 0),
    'clone into a network namespace': call(56, 0x40000000 | 0x20000 | clone_fs, 0, 0, 0, 0),
    'mount': call(165, 1, 1, 1, 0, 1),
    'open_tree': call(428, -1, 0, 0xffffffff),
    'typing on a terminal': call(16, 0, 0x5412, 0),
    'typing with the upper half of the number set': call(16, 0, 0x5412 | (1 << 32), 0),
    'open_tree_attr': call(467, -1, 0, 0xffffffff, 0, 0),
    'shmget': call(29, 0x7e57, 1, 0),
    'semget': call(64, 0x7e57, 1, 0),
    'semtimedop': call(220, -1, 0, 0, 0),
    'msgget': call(68, 0x7e57, 0),
    'mq_open': call(240, 0, 0, 0, 0),
    'mq_getsetattr': call(245, -1, 0, 0),
    'modify_ldt': call(154, 0, 0, 0),
    'ptrace': call(101, 0, 0, 0, 0),
}
print(json.dumps(found))
`;

/** Families of sockets that belong to no namespace, and one of each that does. */
const families = `
import json, socket
def made(family, kind):
    try:
        socket.socket(family, kind).close()
        return 'ok'
    except OSError as error:
        return error.strerror
print(json.dumps({
    'vsock': made(40, 1), 'alg': made(38, 5), 'bluetooth': made(31, 3), 'packet': made(17, 3),
    'unix': made(1, 1), 'inet': made(2, 1), 'inet6': made(10, 1), 'netlink': made(16, 3),
}))
`;

async function run(at: Place, script: string): Promise<Record<string, string>> {
  const command = { program: 'python3', args: ['-c', script] };
  const ran = await at.run('program-runner.go', command, { allow: ['fs:work', 'exec:python3'] });
  const { stdout, stderr } = expectSuccess(ran) as { stdout: string; stderr: string };
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

escapeCase('system calls of a program', {
  needs,
  denied: [
    [
      'what leads out or at the kernel is not permitted, in any spelling',
      async () => {
        const found = await run(place, probe);
        expect(
          Object.entries(found).filter(([, said]) => said !== 'Operation not permitted'),
        ).toEqual([]);
        expect(Object.keys(found).length).toBe(23);
      },
    ],
    [
      'no socket of a family that belongs to no namespace',
      async () => {
        const { vsock, alg, bluetooth, packet, ...others } = await run(place, families);
        const none = 'Address family not supported by protocol';
        expect({ vsock, alg, bluetooth, packet }).toEqual({
          ...{ vsock: none, alg: none, bluetooth: none, packet: none },
        });
        expect(others).toEqual({ unix: 'ok', inet: 'ok', inet6: 'ok', netlink: 'ok' });
      },
    ],
  ],
  control: [
    'without the sandbox the same calls are told of their arguments, and sockets are made',
    async () => {
      const found = await run(open, probe);
      expect(
        Object.entries(found).filter(([, said]) => said === 'Operation not permitted'),
      ).toEqual([]);
      expect(found.unshare).toBe('ok');
      expect(await run(open, families)).toMatchObject({ unix: 'ok', inet: 'ok' });
    },
  ],
});

/** Threads, children, pipes, pairs of sockets, files in memory: what builds and tests do all day. */
const ordinary = `
import json, multiprocessing, os, socket, subprocess, tempfile, threading
def square(queue): queue.put(7 * 7)
done = []
thread = threading.Thread(target=lambda: done.append('thread')); thread.start(); thread.join()
queue = multiprocessing.get_context('fork').SimpleQueue()
child = multiprocessing.get_context('fork').Process(target=square, args=(queue,)); child.start(); child.join()
done.append(str(queue.get()))
done.append(subprocess.run(['sh', '-c', 'echo child | cat'], capture_output=True, text=True).stdout.strip())
left, right = socket.socketpair(); left.send(b'pair'); done.append(right.recv(9).decode())
server = socket.socket(socket.AF_UNIX); server.bind(tempfile.mkdtemp() + '/s'); server.listen()
client = socket.socket(socket.AF_UNIX); client.connect(server.getsockname()); done.append('unix')
server = socket.create_server(('127.0.0.1', 0)); socket.create_connection(server.getsockname()); done.append('tcp')
print(json.dumps(done))
`;

/** How often a program could connect to a socket of this process that lies in the workspace. */
async function connectionsTo(path: string, names: readonly string[]): Promise<number> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  mkdirSync(dirname(join(place.work, path)), { recursive: true });
  await new Promise<void>((resolve) => server.listen(join(place.work, path), resolve));
  try {
    const script = `
import json, socket
said = []
for name in ${JSON.stringify(names).replaceAll('\\u0000', '\\0')}:
    try:
        socket.socket(socket.AF_UNIX).connect(name)
        said.append('ok')
    except OSError as error:
        said.append(error.strerror)
print(json.dumps(said))`;
    const said = Object.values(await run(place, script));
    expect(said).toHaveLength(names.length);
    expect(said).not.toContain('ok');
    return connections;
  } finally {
    server.close();
  }
}

escapeCase('socket of somebody outside', {
  needs,
  denied: [
    [
      'one that lies in the workspace is not connected to, nor one of the host by its name',
      async () => {
        const names = ['listening', '\0cuervo-abstract', `${place.work}/listening`];
        expect(await connectionsTo('listening', names)).toBe(0);
      },
    ],
    [
      'nor one that is called as a part of git',
      async () => {
        for (const path of ['nested/.git', 'other/.git/commondir']) {
          expect(await connectionsTo(path, [path])).toBe(0);
        }
      },
    ],
  ],
  control: [
    'a program has threads, children and sockets of its own',
    async () => {
      const all = ['thread', '49', 'child', 'pair', 'unix', 'tcp'];
      expect(Object.values(await run(place, ordinary))).toEqual(all);
    },
  ],
});
