import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** See the README beside it. `PYTHON` names the interpreter that has ziglang. */
const here = import.meta.dirname;
const cuervo = resolve(here, '../../dist/cuervo.cjs');
const dir = mkdtempSync(join(tmpdir(), 'cuervo-polyglot-'));
const work = join(dir, 'work');
const python = process.env.PYTHON ?? 'python3';

type Run = { args: string[]; says: RegExp };
type Guest = { name: string; command: string[]; cwd: string; made: string; runs: Run[] };

const denied: Run = { args: ['{"args":["a.txt"]}'], says: /was not granted fs/ };
const program: Run[] = [
  { args: ['{"stdin":"one two three"}'], says: /^\{"stdout":"3\\n","stderr":"","exitCode":0\}$/m },
  denied,
  { args: ['{"args":["a.txt"]}', '--allow', 'fs:work'], says: /"stdout":"0\\na\.txt 2\\n"/ },
];
const rust = (target: string): Guest => ({
  name: `rust-${target}`,
  command: [
    'cargo',
    'build',
    '-q',
    '--release',
    '--target',
    target,
    '--target-dir',
    join(dir, 'rust'),
  ],
  cwd: join(here, 'rust'),
  made: join(dir, 'rust', target, 'release/words.wasm'),
  runs: program,
});
const out = (name: string): string => join(dir, `${name}.wasm`);
const guests: Guest[] = [
  {
    name: 'c',
    command: [
      python,
      '-m',
      'ziglang',
      'cc',
      '-target',
      'wasm32-wasi',
      '-Os',
      '-o',
      out('c'),
      'main.c',
    ],
    cwd: join(here, 'c'),
    made: out('c'),
    runs: program,
  },
  rust('wasm32-wasip1'),
  rust('wasm32-wasip2'),
  {
    name: 'go',
    command: ['go', 'build', '-o', out('go'), 'main.go'],
    cwd: join(here, 'go'),
    made: out('go'),
    runs: program,
  },
  {
    name: 'python',
    command: [
      process.env.COMPONENTIZE_PY ?? 'componentize-py',
      '-q',
      '-d',
      'wit',
      '-w',
      'adder',
      'componentize',
      '-o',
      out('python'),
      'app',
    ],
    cwd: join(here, 'python'),
    made: out('python'),
    runs: [
      { args: ['add', '{"a":9007199254740993,"b":1}'], says: /^9007199254740994$/m },
      {
        args: ['text-stats-of', '{"text":"one three"}'],
        says: /^\{"words":2,"longest":"three"\}$/m,
      },
      { args: ['text-halve', '{"n":7}'], says: /7 is odd/ },
    ],
  },
];

function execute(command: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, CUERVO_HOME: join(dir, 'home'), GOOS: 'wasip1', GOARCH: 'wasm' };
  const { stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  return error === undefined ? stdout + stderr : error.message;
}

function tryGuest({ name, command, cwd, made, runs }: Guest): boolean {
  const [first = '', ...rest] = command;
  const built = execute(first, rest, cwd);
  if (!existsSync(made)) {
    console.log(`${name}: left out, not built: ${built.trim().split('\n').at(-1)}`);
    return true;
  }
  const file = join(dir, 'plugins', `${name}.wasm`);
  execute('cp', [made, file], dir);
  execute(process.execPath, [cuervo, 'plugin', 'install', '--yes', file], work);
  return runs
    .map(({ args, says }) => {
      const call = args[0]?.startsWith('{') ? ['run', ...args] : args;
      const [tool, ...more] = call;
      const said = execute(
        process.execPath,
        [cuervo, 'run', `${name}.${tool}`, ...more],
        work,
      ).trim();
      const right = says.test(said);
      console.log(
        `${right ? 'ok  ' : 'BAD '} ${name}.${call.join(' ')}\n     ${said.replaceAll('\n', '\n     ')}`,
      );
      return right;
    })
    .every(Boolean);
}

mkdirSync(work);
mkdirSync(join(dir, 'plugins'));
writeFileSync(join(work, 'a.txt'), 'alpha beta\n');
process.exitCode = guests.map(tryGuest).every(Boolean) ? 0 : 1;
rmSync(dir, { recursive: true, force: true });
