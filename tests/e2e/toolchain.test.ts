import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { openPlace, type Place } from '../support/place.ts';

const hasSandbox = existsSync('/usr/bin/bwrap');
const hasVenv = answers('python3', ['-c', 'import venv, ensurepip']);
const cargo = join(homedir(), '.cargo/bin/cargo');
const go = '/usr/local/go/bin/go';
const npm = ['/usr/lib/node_modules/npm', '/usr/local/lib/node_modules/npm'].find(existsSync);

function answers(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

type Project = {
  files: Readonly<Record<string, string>>;
  /** the file with the mistake, and how it is mended */
  mistake: { path: string; find: string; replace: string };
  program: string;
  /** folders that come first in `PATH` */
  path?: readonly string[];
};

function usePath({ home }: Place): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'config.toml'), 'programs.path = "user"\n');
}

/** The tests fail, an edit mends them, and undo brings the failure back. */
async function findFixUndo(place: Place, { mistake, program, path = [] }: Project): Promise<void> {
  const env = { PATH: [...path, process.env.PATH ?? ''].join(':') };
  const run = async (tool: string, input: JsonObject, grants: readonly string[]) => {
    const flags = ['--json', '--timeout', '120', ...grants.flatMap((each) => ['--allow', each])];
    const ran = await place.cuervo(['run', tool, JSON.stringify(input), ...flags], { env });
    const result = ran.lines.find(({ type }) => type === 'result');
    const step = ran.lines.find((each) => each.type === 'step-finished');
    const content = JSON.parse(String((result as JsonObject | undefined)?.content ?? 'null'));
    return { code: ran.code, status: step?.status, content };
  };
  const test = () => run('shell.run-tests', {}, [`exec:${program}`]);
  const failed = await test();
  expect(failed).toMatchObject({ code: 1, status: 'ok', content: { passed: false } });
  expect(failed.content.exitCode).toBeGreaterThan(0);
  expect(failed.content.failures).toHaveLength(1);
  const { path: file, find, replace } = mistake;
  const broken = readFileSync(join(place.work, file), 'utf8');
  const edit = { path: file, old: find, new: replace };
  const edited = await run('file.edit', edit, ['fs-write:work']);
  expect(edited).toMatchObject({ code: 0 });
  expect(await test()).toMatchObject({ code: 0, content: { passed: true } });
  // Tests may write files themselves: the runs are taken back until the edit is.
  for (let left = 4; left > 0; left -= 1) {
    const ran = await place.cuervo(['undo', '--yes']);
    expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 0 });
    if (readFileSync(join(place.work, file), 'utf8').includes(find)) break;
  }
  // The same bytes fail as before.
  expect(readFileSync(join(place.work, file), 'utf8')).toBe(broken);
}

describe.skipIf(!hasSandbox || !hasVenv)(
  'pytest from a virtual environment (needs: sudo apt-get install bubblewrap python3-venv)',
  () => {
    const project: Project = {
      files: {
        'calc.py': 'def add(a, b):\n    return a - b\n',
        'test_calc.py':
          'import unittest\nfrom calc import add\n\nclass Sum(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n',
        'setup.py': '',
      },
      mistake: { path: 'calc.py', find: 'a - b', replace: 'a + b' },
      program: 'python3',
    };

    it('is found, fixed and undone with its own Python', async () => {
      using place = openPlace(project.files);
      execFileSync('python3', ['-m', 'venv', '--without-pip', '.venv'], { cwd: place.work });
      await findFixUndo(place, project);
    }, 120_000);

    it('runs by its name, asks again when the file changed, and exits with 1', async () => {
      using place = openPlace(project.files);
      execFileSync('python3', ['-m', 'venv', '--without-pip', '.venv'], { cwd: place.work });
      const script = (text: string): void => {
        place.write({ '.venv/bin/mytest': `#!${place.work}/.venv/bin/python3\n${text}\n` });
        chmodSync(join(place.work, '.venv/bin/mytest'), 0o755);
      };
      script('import sys; print(sys.prefix); sys.exit(5)');
      const run = (...flags: string[]) =>
        place.cuervo(['run', 'shell.run', '{"command":"mytest"}', ...flags]);
      const denied = await run();
      expect(denied.code).toBe(3);
      const [, grant = ''] =
        /plugin grant shell (exec:mytest@[0-9a-f]{64})/.exec(denied.stderr) ?? [];
      expect((await place.cuervo(['plugin', 'grant', 'shell', grant])).code).toBe(0);
      const ran = await run();
      expect(ran.code).toBe(1);
      expect(JSON.parse(ran.stdout)).toMatchObject({ exitCode: 5 });
      script('print(2)');
      expect((await run()).code).toBe(3);
      expect((await run('--allow', 'exec:mytest')).code).toBe(0);
    }, 120_000);
  },
);

describe.skipIf(!hasSandbox || npm === undefined)(
  "npm from nvm's layout (needs: sudo apt-get install bubblewrap nodejs npm)",
  () => {
    it('is found, fixed and undone', async () => {
      const project: Project = {
        files: {
          'package.json': '{"name":"calc","scripts":{"test":"node --test"}}',
          'calc.js': 'exports.add = (a, b) => a - b;\n',
          'calc.test.js':
            "const { add } = require('./calc.js');\nrequire('node:test')('adds', () => require('node:assert').equal(add(1, 2), 3));\n",
        },
        mistake: { path: 'calc.js', find: 'a - b', replace: 'a + b' },
        program: 'npm',
      };
      using place = openPlace(project.files);
      usePath(place);
      const version = join(place.dir, '.nvm/versions/node/v26');
      mkdirSync(join(version, 'bin'), { recursive: true });
      cpSync(npm ?? '', join(version, 'lib/node_modules/npm'), { recursive: true });
      symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(version, 'bin/npm'));
      cpSync(realpathSync(process.execPath), join(version, 'bin/node'));
      await findFixUndo(place, { ...project, path: [join(version, 'bin')] });
    }, 120_000);
  },
);

describe.skipIf(!hasSandbox || !existsSync(cargo))(
  "cargo from rustup's (needs: bubblewrap, and rustup from https://rustup.rs)",
  () => {
    it('is found, fixed and undone', async () => {
      const project: Project = {
        files: {
          'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
          'src/lib.rs':
            'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n',
          '.gitignore': 'target\n',
        },
        mistake: { path: 'src/lib.rs', find: 'a - b', replace: 'a + b' },
        program: 'cargo',
        path: [dirname(cargo)],
      };
      using place = openPlace(project.files);
      usePath(place);
      await findFixUndo(place, project);
    }, 180_000);
  },
);

describe.skipIf(!hasSandbox || !existsSync(go))(
  'go (needs: bubblewrap, and go from https://go.dev/dl)',
  () => {
    it('is found, fixed and undone', async () => {
      const project: Project = {
        files: {
          'go.mod': 'module example.org/calc\n\ngo 1.18\n',
          'calc.go': 'package calc\n\nfunc Add(a, b int) int { return a - b }\n',
          'calc_test.go':
            'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("want 3")\n\t}\n}\n',
        },
        mistake: { path: 'calc.go', find: 'a - b', replace: 'a + b' },
        program: 'go',
        path: [dirname(go)],
      };
      using place = openPlace(project.files);
      usePath(place);
      await findFixUndo(place, project);
    }, 180_000);
  },
);
