import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';

const plugin = `import { definePlugin, v } from '@cuervo/sdk';
export default definePlugin({
  name: 'stranger', version: '0.1.0', description: 'Goes.', licence: 'MIT', wants: [],
  tools: [{ name: 'go', description: 'Goes.', effect: 'pure', input: v.object({}), examples: [{}],
    run: () => ({ content: 'gone', summary: 'gone' }) }],
});
`;
const place = usePlace({
  fill: ({ outside }) => {
    put(outside, 'plugin/plugin.ts', plugin);
  },
});

let made = 0;
/** The cases of a plugin, in a folder of their own; `MADE` in them is a path that must not be. */
async function test(
  name: string,
  cases: string,
  ...flags: string[]
): Promise<{ ran: Ran; isMade: boolean }> {
  return await inFolder({ 'plugin.ts': plugin, [name]: cases }, ['test'], flags);
}

async function inFolder(
  files: Readonly<Record<string, string>>,
  before: readonly string[],
  behind: readonly string[] = [],
): Promise<{ ran: Ran; isMade: boolean }> {
  made += 1;
  const folder = join(place.outside, `cases-${made}`);
  const path = join(place.outside, `made-${made}`);
  for (const [name, text] of Object.entries(files))
    put(folder, name, text.replaceAll('MADE', path));
  const ran = await place.cuervo(['plugin', ...before, folder, ...behind]);
  return { ran, isMade: existsSync(path) };
}

const expectation = '"expect": {"content": "gone"}';

/** Says what of it succeeded. */
const reaching = `
const ways = {
  sqlite: async () => new (await import('node:sqlite')).DatabaseSync('MADE').exec('create table t(x)'),
  builtin: () => process.getBuiltinModule('node:sqlite').DatabaseSync.name,
  file: async () => (await import('node:fs')).writeFileSync('MADE', 'x'),
  signal: () => process.kill(process.ppid, 0),
  report: () => process.report.getReport().header.nodeVersion.length,
  flags: async () => (await import('node:v8')).setFlagsFromString('--no-lazy'),
  users: async () => (await import('node:os')).userInfo().username,
};
const reached = [];
for (const [name, way] of Object.entries(ways)) {
  try {
    await way();
    reached.push(name);
  } catch {}
}
if (reached.length > 0) throw new Error('reached ' + reached);
export default [];
`;

escapeCase('cases of a plugin that somebody else wrote', {
  denied: [
    [
      'a commit that configures git is not made',
      async () => {
        for (const file of ['.git/config', 'sub/../.git/config']) {
          const text =
            '[core]\\\\n\\\\trepositoryformatversion = 0\\\\n\\\\tfsmonitor = touch MADE\\\\n';
          const commits = `[{"message": "One", "files": {"${file}": "${text}"}}, {"message": "Two", "files": {"a": "b"}}]`;
          const cases = `[{"name": "a", "tool": "go", "commits": ${commits}, ${expectation}}]`;
          const { ran, isMade } = await test('a.cases.json', cases);
          expect(isMade).toBe(false);
          expect(ran.stdout + ran.stderr).toContain('which git would obey');
        }
      },
    ],
    [
      'a file outside of its workspace is not written',
      async () => {
        for (const name of [`${'../'.repeat(20)}MADE`, '..']) {
          const cases = `[{"name": "a", "tool": "go", "files": {"${name}": "x"}, ${expectation}}]`;
          const { ran, isMade } = await test('a.cases.json', cases);
          expect(isMade).toBe(false);
          expect(ran.stdout + ran.stderr).toContain(
            'is not the path of a file below its workspace',
          );
        }
      },
    ],
    [
      'a file of cases that is a program reaches nothing of the machine',
      async () => {
        const { ran, isMade } = await test('a.cases.ts', reaching);
        expect(ran.stdout + ran.stderr).not.toContain('reached');
        expect(isMade).toBe(false);
      },
    ],
  ],
  control: [
    'cases that keep to their workspace run, of either form',
    async () => {
      const files = '"files": {"src/a.txt": "x", ".git-notes": "y"}';
      const commits = `"commits": [{"message": "-x", ${files}, "tag": "v1"}]`;
      const json = `[{"name": "a", "tool": "go", ${files}, ${commits}, ${expectation}}]`;
      const one = await test('a.cases.json', json);
      expect(one.ran.stdout).toContain('1 passed');
      const other = await test('a.cases.ts', `export default await Promise.resolve(${json});`);
      expect(other.ran.stdout).toContain('1 passed');
      // Outside, all of it is reached.
      const free = reaching.replaceAll('MADE', join(place.outside, 'made-freely'));
      const args = ['--no-warnings', '--input-type=module', '-e', free];
      const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      expect(stderr).toMatch(/reached sqlite,builtin,file,signal,/);
    },
  ],
});

escapeCase('program of cases in the sandbox of the operating system', {
  needs: { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' },
  denied: [
    'it sees its own bundle at a place of the sandbox, and no path of this machine',
    async () => {
      const named = `[{"name": import.meta.url, "tool": "go", ${expectation}}]`;
      const { ran } = await test('a.cases.ts', `export default ${named};`);
      expect(ran.stdout).toContain('ok    file:///program/code/program.mjs');
    },
  ],
  control: [
    'a program with a list of cases gives it, however long that takes',
    async () => {
      const wait = 'await new Promise((done) => setTimeout(done, 100));';
      const cases = `${wait} export default [{"name": "a", "tool": "go", ${expectation}}];`;
      expect((await test('a.cases.js', cases)).ran.stdout).toContain('1 passed');
    },
  ],
});

/** Cases that ask a server of this machine, by the plugin's own request and by a program. */
async function asked(...flags: string[]): Promise<{ requests: number; ran: Ran }> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end('here');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const grants = `["http:${origin}", "fs:work", "exec:curl"]`;
  const calls = [
    `"tool": "web.fetch", "input": {"url": "${origin}/"}`,
    `"tool": "shell.run", "input": {"command": "curl -s ${origin}/"}`,
  ];
  const more = `"grants": ${grants}, "expect": {"content": "here"}`;
  const cases = calls.map((call, at) => `{"name": "${at}", ${call}, ${more}}`);
  const { ran } = await test('a.cases.json', `[${cases}]`, ...flags);
  server.close();
  return { requests, ran };
}

escapeCase('network that cases grant themselves', {
  denied: [
    'nothing is asked of any server, by the plugin or by a program',
    async () => {
      const { requests, ran } = await asked();
      expect(requests).toBe(0);
      expect(ran.stdout).toContain('reaches the network only with --live');
    },
  ],
  control: [
    'with --live it is, and an answer of the case itself needs no network',
    async () => {
      expect((await asked('--live')).requests).toBeGreaterThan(0);
      const host = '"host": {"http.send": [{"answer": {"body": "recorded"}}]}';
      const grants = '"grants": ["http:https://example.com"]';
      const call = '"tool": "web.fetch", "input": {"url": "https://example.com/"}';
      const { ran } = await test(
        'a.cases.json',
        `[{"name": "a", ${call}, ${grants}, ${host}, "expect": {"has": {"text": "recorded"}}}]`,
      );
      expect(ran.stdout).toContain('1 passed');
    },
  ],
});

/** In a bundle the names of Node are the SDK's own: this is the real one of that process. */
const real = `const real = globalThis[['pro', 'cess'].join('')];`;
const defining = (code: string): Promise<{ ran: Ran; isMade: boolean }> =>
  inFolder({ 'plugin.ts': `${plugin}\n${real}\n${code}` }, ['build']);

escapeCase('definition of a plugin that somebody else wrote', {
  denied: [
    [
      'to tell what the plugin is, it reaches nothing of the machine',
      async () => {
        const ways = `[() => real.getBuiltinModule('node:sqlite'), () => real.kill(real.pid, 0),
          () => real.report.getReport(), () => real.getBuiltinModule('node:os').userInfo(),
          () => real.getBuiltinModule('node:v8').setFlagsFromString('--redirect-code-traces-to=MADE'),
          () => real.getBuiltinModule('node:fs').writeFileSync('MADE', 'x')]`;
        const { ran, isMade } = await defining(`
          const reached = ${ways}.map((way, at) => { try { way(); return at; } catch { return ''; } });
          throw new Error(reached.join('') === '' ? 'nothing' : 'reached ' + reached);`);
        expect(ran.stdout + ran.stderr).toContain('definition: nothing');
        expect(isMade).toBe(false);
      },
    ],
    [
      'words without an end are not listened to',
      async () => {
        const { ran } = await defining(
          `for (;;) await new Promise((sent) => real.stdout.write('x'.repeat(1_000_000), sent));`,
        );
        expect(ran.stdout + ran.stderr).toMatch(/definition wrote more than 67108864 characters/);
      },
    ],
  ],
  control: [
    'one that does nothing else is built',
    async () => {
      const { ran } = await defining('console.log(typeof globalThis);');
      expect(ran.stdout).toContain('stranger.wasm');
      expect(ran.exitCode).toBe(0);
    },
  ],
});

/** A plugin that takes a file of the machine along, by a path or by a link in its folder. */
async function taking(path: string, link?: string): Promise<Ran> {
  made += 1;
  const folder = join(place.outside, `taking-${made}/plugin`);
  put(folder, 'plugin.ts', `import taken from '${path}';\nconsole.log(taken);\n${plugin}`);
  put(folder, 'src/own.json', '"own"');
  put(folder, '../beside.json', '"beside"');
  if (link !== undefined) symlinkSync(link, join(folder, 'link.json'));
  return await place.cuervo(['plugin', 'build', folder]);
}

escapeCase('plugin that takes a file of who builds it', {
  denied: [
    [
      'none is built with it, by whichever path or link',
      async () => {
        const secret = put(place.outside, 'auth.json', '{"token": "TAKEN"}');
        for (const ran of [
          await taking(secret),
          await taking('../beside.json'),
          await taking('./link.json', secret),
          await taking('./link.json', '../../auth.json'),
        ]) {
          expect(ran.exitCode).toBe(2);
          expect(ran.stdout + ran.stderr).toMatch(/\.json lies outside of .*taking-\d+\/plugin/);
        }
      },
    ],
    [
      'nor do its cases get it',
      async () => {
        const secret = put(place.outside, 'auth.json', '{"token": "TAKEN"}');
        const named = `[{ name: taken.token, tool: 'go', input: {}, ${expectation} }]`;
        const { ran } = await test(
          'a.cases.ts',
          `import taken from '${secret}';\nexport default ${named};`,
        );
        expect(ran.stdout + ran.stderr).toContain('auth.json lies outside of');
        expect(ran.stdout + ran.stderr).not.toContain('TAKEN');
      },
    ],
  ],
  control: [
    'one that takes its own is, and in a repository what lies beside it',
    async () => {
      expect((await taking('./src/own.json')).exitCode).toBe(0);
      put(place.outside, `taking-${made + 1}/.git/HEAD`, 'ref: refs/heads/main\n');
      expect((await taking('../beside.json')).exitCode).toBe(0);
    },
  ],
});

/** A command for authors, in a folder with a pipe or a link to a device. */
async function beside(name: string, command: string, device?: string): Promise<Ran> {
  made += 1;
  const folder = join(place.outside, `beside-${made}`);
  put(folder, 'plugin.ts', plugin);
  put(folder, 'a.cases.json', `[{"name": "a", "tool": "go", "input": {}, ${expectation}}]`);
  const path = join(folder, name);
  rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  if (device === undefined) spawnSync('mkfifo', [path]);
  else symlinkSync(device, path);
  return await place.cuervo(['plugin', command, folder], { giveUpMs: 20_000 });
}

escapeCase('pipe or device in the folder of a plugin', {
  denied: [
    'it is named, and nothing waits for it',
    async () => {
      for (const ran of [
        await beside('a.cases.json', 'test'),
        await beside('package.json', 'build'),
        await beside('src/x.ts', 'check'),
        await beside('tsconfig.json', 'build', '/dev/zero'),
      ]) {
        expect(ran.exitCode).toBe(2);
        expect(ran.error?.message ?? ran.stderr).toMatch(/is a (?:pipe|device), not a file/);
      }
    },
  ],
  control: [
    'a link to a file is as good as the file',
    async () => {
      const target = put(place.outside, 'linked.json', '{}');
      expect((await beside('package.json', 'build', target)).exitCode).toBe(0);
    },
  ],
});

/** What would be published of a folder with this binary, and links beside it. */
async function publishedWith(links: Readonly<Record<string, string>>): Promise<Ran> {
  made += 1;
  const folder = join(place.outside, `published-${made}`);
  mkdirSync(folder);
  const file = join(folder, 'state-keeper.wasm');
  copyFileSync(await buildGuest('state-keeper'), file);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
  return await place.cuervo(['plugin', 'publish', file, 'npm', '--dry-run', '--json']);
}

escapeCase('page of a plugin that is a link to another file', {
  denied: [
    'nothing is published with it, nor with such a licence',
    async () => {
      for (const name of ['README.md', 'LICENSE', 'package.json']) {
        const ran = await publishedWith({ [name]: join(place.outside, 'secret.txt') });
        expect({ exitCode: ran.exitCode, code: ran.error?.code }, name).toEqual({
          exitCode: 2,
          code: 'invalid-argument',
        });
        expect(ran.error?.message).toContain('secret.txt, which is not published');
      }
    },
  ],
  control: [
    'a page that packages share is published',
    async () => {
      put(place.outside, 'shared/README.md', '# A page\n');
      const ran = await publishedWith({ 'README.md': '../shared/README.md' });
      expect(ran.error).toBeUndefined();
      expect(ran.stdout).toContain('"name":"README.md","bytes":9');
    },
  ],
});
