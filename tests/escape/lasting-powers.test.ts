import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { twoUsers, useNeighbours } from './support/neighbour.ts';
import { expectSuccess, type Place, put, usePlace } from './support/place.ts';

/** What a file may do once it is outside, and a program in its sandbox has no use for. */
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
 * Every call that gives a file a mode, by its number, past every library; each on a file of its
 * own. What it says is the mode that came of it, or why there is none.
 */
const calls = `
import ctypes, json, mmap, os, stat, struct, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)
mode = int(sys.argv[1], 8)
os.umask(0)
def call(number, *arguments):
    ctypes.set_errno(0)
    arguments = [ctypes.c_char_p(each) if isinstance(each, bytes) else ctypes.c_long(each) for each in arguments]
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def there(name):
    os.close(os.open(name, os.O_CREAT | os.O_WRONLY, 0o600))
    return name.encode()
def by_fchmod(name):
    there(name)
    call(91, os.open(name, os.O_RDONLY), mode)
def by_openat2(name):
    how = (ctypes.c_char * 24)(*struct.pack('QQQ', os.O_CREAT | os.O_WRONLY, mode, 0))
    call(437, -100, name.encode(), ctypes.addressof(how), 24)
def by_tmpfile(name):
    made = call(257, -100, b'.', os.O_TMPFILE | os.O_WRONLY, mode)
    call(265, -100, b'/proc/self/fd/%d' % made, -100, name.encode(), 0x400)
def by_32_bits(name):
    page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40, 7)
    path = there(name) + b'\\0'
    at = ctypes.addressof(ctypes.c_char.from_buffer(page))
    # push rbx; mov eax, chmod; mov ebx, path; mov ecx, mode; int 0x80; pop rbx; ret
    code = b'\\x53\\xb8' + struct.pack('I', 15) + b'\\xbb' + struct.pack('I', at + 64) + b'\\xb9' + struct.pack('I', mode) + b'\\xcd\\x80\\x5b\\xc3'
    page[0:len(code)] = code
    page[64:64 + len(path)] = path
    child = os.fork()
    if child == 0: ctypes.CFUNCTYPE(ctypes.c_int)(at)(); os._exit(0)
    if os.WIFSIGNALED(os.waitpid(child, 0)[1]): raise OSError(1, 'ended')
ways = {
    'chmod': lambda name: call(90, there(name), mode),
    'fchmod': by_fchmod,
    'fchmodat': lambda name: call(268, -100, there(name), mode),
    'fchmodat2': lambda name: call(452, -100, there(name), mode, 0),
    'open': lambda name: call(2, name.encode(), os.O_CREAT | os.O_WRONLY, mode),
    'openat': lambda name: call(257, -100, name.encode(), os.O_CREAT | os.O_WRONLY, mode),
    'a file without a name': by_tmpfile,
    'creat': lambda name: call(85, name.encode(), mode),
    'openat2': by_openat2,
    'mknod': lambda name: call(133, name.encode(), stat.S_IFREG | mode, 0),
    'mknodat': lambda name: call(259, -100, name.encode(), stat.S_IFREG | mode, 0),
    'chmod with upper halves': lambda name: call(90, there(name), mode | 1 << 32),
    'chmod of x32': lambda name: call(0x40000000 | 90, there(name), mode),
    'chmod of 32 bits': by_32_bits,
    'cp -p': lambda name: subprocess.run(['cp', '-p', 'tool-%o' % mode, name], check=True, stderr=subprocess.DEVNULL),
    'install -m': lambda name: subprocess.run(['install', '-m', '%o' % mode, 'tool', name], check=True, stderr=subprocess.DEVNULL),
    'tar -p': lambda name: subprocess.run(['tar', '--transform', 's/.*/' + name + '/', '-xpf', 'tool-%o.tar' % mode], check=True, stderr=subprocess.DEVNULL),
}
found = {}
for way, run in ways.items():
    name = 'made by ' + way
    if os.path.exists(name): os.unlink(name)
    try:
        run(name)
        found[way] = '%o' % stat.S_IMODE(os.lstat(name).st_mode)
    except (OSError, subprocess.CalledProcessError) as error:
        found[way] = 'no'
print(json.dumps(found))
`;

/** What else a file may be or have. */
const others = `
import ctypes, fcntl, json, os, stat, struct
def made(make, *arguments):
    try:
        make(*arguments)
        return 'ok'
    except OSError as error:
        return 'no'
open('plain', 'w').close()
os.makedirs('folder', exist_ok=True)
for name in ('null', 'whiteout', 'pipe'):
    if os.path.lexists(name): os.unlink(name)
# NET_RAW and all others, permitted and effective, revision 2
capabilities = struct.pack('<IIIII', 0x02000001, 0xffffffff, 0, 0, 0)
# version 2; owner rw, group, mask, others rwx
acl = struct.pack('<IHHIHHIHHIHHI', 2, 1, 6, 0xffffffff, 4, 7, 0xffffffff, 16, 7, 0xffffffff, 32, 7, 0xffffffff)
plain = os.open('plain', os.O_RDWR)
FS_IOC_GETFLAGS, FS_IOC_SETFLAGS = 0x80086601, 0x40086602
def flag(bit):
    flags = struct.unpack('l', fcntl.ioctl(plain, FS_IOC_GETFLAGS, struct.pack('l', 0)))[0]
    fcntl.ioctl(plain, FS_IOC_SETFLAGS, struct.pack('l', flags | bit))
    fcntl.ioctl(plain, FS_IOC_SETFLAGS, struct.pack('l', flags))
found = {
    'capabilities': made(os.setxattr, 'plain', 'security.capability', capabilities),
    'capabilities by descriptor': made(os.setxattr, plain, 'security.capability', capabilities),
    'access list': made(os.setxattr, 'plain', 'system.posix_acl_access', acl),
    'access list of what is made later': made(os.setxattr, 'folder', 'system.posix_acl_default', acl),
    'device': made(os.mknod, 'null', 0o666 | stat.S_IFCHR, os.makedev(1, 3)),
    'device of no number': made(os.mknod, 'whiteout', 0o666 | stat.S_IFCHR, 0),
    'another owner': made(os.chown, 'plain', 12345, -1),
    'another group': made(os.chown, 'plain', -1, 12345),
    'no change for anybody': made(flag, 0x10),
    'additions alone': made(flag, 0x20),
}
print(json.dumps(found))
`;

async function run(at: Place, script: string, ...args: string[]): Promise<Record<string, string>> {
  const command = { program: 'python3', args: ['-c', script, ...args] };
  const ran = await at.run('program-runner.go', command, { allow: ['fs:work', 'exec:python3'] });
  const { stdout, stderr } = expectSuccess(ran) as { stdout: string; stderr: string };
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** What programs copy and unpack, as a person may have it. */
function prepare({ work }: Place): void {
  for (const mode of ['755', '4755', '2755']) {
    const file = put(work, `tool-${mode}`, '#!/bin/sh\n');
    chmodSync(file, Number.parseInt(mode, 8));
    const archive = join(work, `tool-${mode}.tar`);
    execFileSync('tar', ['-cf', archive, '-C', work, `tool-${mode}`]);
  }
  put(work, 'tool', '#!/bin/sh\n');
}

/** Files below a workspace that have one of the two bits, but for those of `prepare()`. */
function powerful({ work }: Place): string[] {
  return readdirSync(work).filter(
    (name) => !name.startsWith('tool') && (lstatSync(join(work, name)).mode & 0o6000) !== 0,
  );
}

escapeCase('set-user-ID that a program leaves', {
  needs,
  denied: [
    [
      'no call and no program makes a file that runs as its user or group',
      async () => {
        prepare(place);
        for (const mode of ['4755', '2755']) {
          const found = await run(place, calls, mode);
          expect(Object.entries(found).filter(([, how]) => how !== 'no')).toEqual([]);
          expect(Object.keys(found)).toHaveLength(17);
          expect(powerful(place)).toEqual([]);
          // What had it before and was not changed keeps it.
          expect((lstatSync(join(place.work, `tool-${mode}`)).mode & 0o7777).toString(8)).toBe(
            mode,
          );
        }
      },
    ],
    [
      'without the sandbox it is gone when the program has ended, in hidden and ignored folders too',
      async () => {
        prepare(open);
        put(open.work, '.gitignore', 'ignored/\n');
        mkdirSync(join(open.work, '.git'), { recursive: true });
        const script = `
import os
for folder in ('ignored/deep', '.git', '.hidden'):
    os.makedirs(folder, exist_ok=True)
    open(folder + '/tool', 'w').close(); os.chmod(folder + '/tool', 0o6755)
odd = os.fsencode('.hidden/') + bytes([0xff])
open(odd, 'w').close(); os.chmod(odd, 0o4711)
print('{}')`;
        await run(open, script);
        const find = ['-perm', '/6000', '-type', 'f', '-not', '-name', 'tool-*'];
        expect(execFileSync('find', [open.work, ...find], { encoding: 'utf8' })).toBe('');
      },
    ],
    [
      'what a program writes through a mapping into a file that has it takes it away',
      async () => {
        const file = put(place.work, 'mapped', 'x'.repeat(8192));
        chmodSync(file, 0o4755);
        const script = `
import mmap, os
with mmap.mmap(os.open('mapped', os.O_RDWR), 8192) as page: page[0:4] = b'evil'
print('{}')`;
        await run(place, script);
        expect(readFileSync(file, 'utf8')).toMatch(/^evilx/);
        expect(lstatSync(file).mode & 0o7777).toBe(0o755);
      },
    ],
  ],
  control: [
    'any other mode comes by each of them, and by none is a bit refused that only restricts',
    async () => {
      prepare(place);
      const {
        openat2,
        'chmod of x32': x32,
        'chmod of 32 bits': bits32,
        ...all
      } = await run(place, calls, '755');
      expect({ openat2, x32, bits32 }).toEqual({ openat2: 'no', x32: 'no', bits32: 'no' });
      expect(Object.entries(all).filter(([, how]) => how !== '755')).toEqual([]);
      // Without the sandbox the same calls set it.
      prepare(open);
      const { 'chmod of x32': _, 'chmod of 32 bits': __, ...set } = await run(open, calls, '4755');
      expect(Object.entries(set).filter(([, how]) => how !== '4755')).toEqual([]);
    },
  ],
});

escapeCase('file that is more outside than in the sandbox', {
  needs: {
    ...needs,
    file: `root, ${needs.file}`,
    isThere: () => process.getuid?.() === 0 && needs.isThere(),
  },
  denied: [
    'no capability, list of who may open it, device, other owner or flag',
    async () => {
      const found = await run(place, others);
      expect(Object.entries(found).filter(([, how]) => how !== 'no')).toEqual([]);
      expect(Object.keys(found)).toHaveLength(10);
    },
  ],
  control: [
    'without the sandbox root makes each of them',
    async () => {
      const found = await run(open, others);
      expect(Object.entries(found).filter(([, how]) => how !== 'ok')).toEqual([]);
    },
  ],
});

escapeCase('group that a folder hands on', {
  needs,
  denied: [
    'a file in it does not run as the group',
    async () => {
      const shared = join(place.work, 'shared');
      mkdirSync(shared, { recursive: true });
      chmodSync(shared, 0o2775);
      const found = await run(place, calls.replace("'made by '", "'shared/made by '"), '2755');
      expect(found.openat).toBe('no');
      expect(powerful({ ...place, work: shared })).toEqual([]);
    },
  ],
  control: [
    'a folder in it has the group and hands it on, as for anybody',
    async () => {
      const shared = join(place.work, 'handed');
      mkdirSync(shared, { recursive: true });
      chmodSync(shared, 0o2775);
      await run(place, "import os; os.makedirs('handed/sub/deep', exist_ok=True); print('{}')");
      for (const path of ['handed', 'handed/sub', 'handed/sub/deep'])
        expect(lstatSync(join(place.work, path)).mode & 0o2000, path).toBe(0o2000);
    },
  ],
});

const neighbours = useNeighbours();

/** What a program of the user leaves in a shared folder, started by the neighbour. */
async function startedByNeighbour(script: string): Promise<string> {
  const { shared } = neighbours;
  neighbours.asUser('mkdir -p mine; chmod 755 mine');
  const ran = await neighbours.cuervo(
    [
      ...['run', 'shell.run', JSON.stringify({ command: script }), '--json'],
      ...['--workspace', `${shared}/mine`],
      ...['fs:work', 'fs-write:work', 'exec:cp', 'exec:install', 'exec:chmod'].flatMap((grant) => [
        '--allow',
        grant,
      ]),
    ],
    { cwd: `${shared}/mine` },
  );
  expect(ran.error).toBeUndefined();
  return neighbours.asNeighbour('./mine/tool -u').trim();
}

escapeCase('program of the user that a neighbour starts', {
  needs: { ...twoUsers, isThere: () => needs.isThere() && twoUsers.isThere?.() === true },
  denied: [
    'it runs as the neighbour',
    async () => {
      const own = neighbours.asNeighbour('id -u').trim();
      const script =
        'install -m 4755 /usr/bin/id tool; cp /usr/bin/id tool; chmod 755 tool; chmod u+s tool';
      expect(await startedByNeighbour(script)).toBe(own);
    },
  ],
  control: [
    'as the user where the user gives it that',
    async () => {
      const user = neighbours.asUser('mkdir -p mine; cp /usr/bin/id mine/own; id -u').trim();
      neighbours.asUser('chmod 4755 mine/own');
      expect(neighbours.asNeighbour('./mine/own -u').trim()).toBe(user);
    },
  ],
});
