import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findZig } from '../../sdk/languages/build-c.ts';
import { findProgram } from '../../sdk/languages/run-toolchain.ts';
import { openPlace, type Place } from '../support/place.ts';
import { root } from '../support/run-cuervo.ts';

/** Programs for WASI preview 1 that print and exit alike under node:wasi and here. */
const sources: Readonly<Record<string, string>> = {
  arguments: `for (int i = 1; i < argc; i++) printf("%d %s\\n", i, argv[i]); return argc;`,
  input: `int c, n = 0; while ((c = getchar()) != EOF) { n++; putchar(toupper(c)); } return n;`,
  'exit code': `fputs("out", stdout); fputs("err", stderr); exit(atoi(argv[1]));`,
  'a file': `FILE *f = fopen(argv[1], "r"); if (!f) { perror(argv[1]); return errno == ENOENT ? 4 : 5; } char b[64]; size_t n = fread(b, 1, 63, f); b[n] = 0; printf("%zu %s", n, b); return 0;`,
  'a listing': `DIR *d = opendir(argv[1]); if (!d) return 9; char n[16][64]; int c = 0; struct dirent *e; while ((e = readdir(d))) if (e->d_name[0] != '.') strcpy(n[c++], e->d_name); for (int i = 0; i < c; i++) for (int j = i + 1; j < c; j++) if (strcmp(n[i], n[j]) > 0) { char t[64]; strcpy(t, n[i]); strcpy(n[i], n[j]); strcpy(n[j], t); } for (int i = 0; i < c; i++) puts(n[i]); return c;`,
  'a change of files': `mkdir("new", 0777); FILE *f = fopen("new/x", "w"); if (!f) return 9; fputs("hello", f); fclose(f); if (rename("new/x", "new/y")) return 8; struct stat s; if (stat("new/y", &s)) return 7; printf("%lld\\n", (long long)s.st_size); if (unlink("new/y")) return 6; return rmdir("new");`,
  seeking: `FILE *f = fopen(argv[1], "r+"); if (!f) return 9; fseek(f, 2, SEEK_SET); fputc('X', f); rewind(f); char b[16] = {0}; fread(b, 1, 15, f); fclose(f); printf("%s|%ld\\n", b, (long)strlen(b)); return 0;`,
  memory: `size_t n = 0; for (int i = 0; i < 100; i++) { char *p = malloc(1 << 16); if (!p) return 9; memset(p, i, 1 << 16); n += (unsigned char)p[i]; free(p); } printf("%zu\\n", n); return 0;`,
};
const head = [
  ...[
    'ctype.h',
    'dirent.h',
    'errno.h',
    'stdio.h',
    'stdlib.h',
    'string.h',
    'sys/stat.h',
    'unistd.h',
  ],
].map((name) => `#include <${name}>\n`);

type Call = { program: string; args: string[]; stdin?: string };
const calls: Call[] = [
  { program: 'arguments', args: [] },
  { program: 'arguments', args: ['one', 'two words', 'ü'] },
  { program: 'input', args: [], stdin: 'some text\n' },
  { program: 'input', args: [], stdin: '' },
  { program: 'exit code', args: ['0'] },
  { program: 'exit code', args: ['3'] },
  { program: 'exit code', args: ['255'] },
  { program: 'a file', args: ['a.txt'] },
  { program: 'a file', args: ['sub/b.txt'] },
  { program: 'a file', args: ['nothing.txt'] },
  { program: 'a listing', args: ['.'] },
  { program: 'a listing', args: ['sub'] },
  { program: 'a change of files', args: [] },
  { program: 'seeking', args: ['a.txt'] },
  { program: 'memory', args: [] },
];
const files = { 'a.txt': 'alpha beta\n', 'sub/b.txt': 'gamma', 'sub/c.txt': '' };
const zig = findZig(process.env);
const go = findProgram('go', process.env);

/** Runs a module under node:wasi, which has no sandbox of ours. */
const reference = `
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';
const [file, work, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: ['program', ...args], preopens: { '/': work, '.': work }, returnOnExit: true });
const module = await WebAssembly.compile(readFileSync(file));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
`;

describe.skipIf(zig === undefined)('programs for WASI preview 1', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'cuervo-wasi-'));
    writeFileSync(join(dir, 'reference.mjs'), reference);
    for (const [name, body] of Object.entries(sources)) {
      const source = join(dir, `${fileOf(name)}.c`);
      writeFileSync(source, `${head.join('')}int main(int argc, char **argv) {\n${body}\n}\n`);
      build([...(zig ?? []), 'cc', '-target', 'wasm32-wasi', '-Os', '-o', moduleOf(name), source]);
    }
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  const moduleOf = (name: string): string => join(dir, `${fileOf(name)}.wasm`);

  it.each(calls)('print and exit as under node:wasi: $program $args', async (call) => {
    await alike(moduleOf(call.program), call);
  });

  it.skipIf(go === undefined)(
    'print and exit as under node:wasi: the program in Go',
    async () => {
      const module = join(dir, 'go.wasm');
      const env = { ...process.env, GOOS: 'wasip1', GOARCH: 'wasm' };
      build([go ?? '', 'build', '-o', module, 'main.go'], join(root, 'tests/polyglot/go'), env);
      await alike(module, { program: 'go', args: ['a.txt'], stdin: 'one two' });
      await alike(module, { program: 'go', args: ['nothing.txt'], stdin: '' });
    },
    300_000,
  );

  async function alike(module: string, { args, stdin = '' }: Call): Promise<void> {
    using theirs = openPlace(files);
    using ours = openPlace(files);
    const script = join(dir, 'reference.mjs');
    const wanted = spawnSync(
      process.execPath,
      ['--no-warnings', script, module, theirs.work, ...args],
      {
        input: stdin,
        encoding: 'utf8',
      },
    );
    const found = await runHere(ours, module, args, stdin);
    expect(found).toEqual({
      stdout: wanted.stdout,
      stderr: wanted.stderr,
      exitCode: wanted.status,
    });
  }
});

async function runHere(place: Place, module: string, words: string[], stdin: string) {
  const allow = ['fs:work', 'fs-write:work', 'clock', 'random'].flatMap((grant) => [
    '--allow',
    grant,
  ]);
  const input = JSON.stringify({ args: words, stdin });
  // One home for all calls: a module is prepared once.
  const home = join(dirname(module), 'home');
  const args = ['run', '--plugin', module, 'run', input, ...allow, '--json'];
  const ran = await place.cuervo(args, { home });
  expect({ code: ran.code, error: ran.error, stderr: ran.stderr }).toMatchObject({
    error: undefined,
  });
  return JSON.parse(ran.result?.content ?? '{}') as object;
}

function fileOf(name: string): string {
  return name.replaceAll(' ', '-');
}

function build(command: readonly string[], cwd?: string, env = process.env): void {
  const [program = '', ...args] = command;
  if (cwd !== undefined) mkdirSync(cwd, { recursive: true });
  const ran = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`${command.join(' ')}: ${ran.stderr}`);
}
