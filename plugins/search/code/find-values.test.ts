import { describe, expect, it } from 'vitest';
import { findValues } from './find-values.ts';
import { treeHost } from './tree-host.ts';

/** As the host gives them, with the lines behind. */
function hostOf(files: Readonly<Record<string, string>>): Parameters<typeof findValues>[0] {
  const host = treeHost(files);
  return {
    scan: (place, options) => {
      const found = host.scan(place, options);
      const matches = found.matches.map((match) => {
        const lines = files[match.path.slice(5)]?.split('\n') ?? [];
        const [from, at] = [match.line - 1 - (options.before ?? 0), match.line];
        const before = lines.slice(Math.max(0, from), at - 1);
        return { ...match, before, after: lines.slice(at, at + (options.after ?? 0)) };
      });
      return { ...found, matches };
    },
  };
}

function placesOf(files: Readonly<Record<string, string>>, ...names: string[]): string[] {
  const { values } = findValues(hostOf(files), { names, place: 'work:', limit: 10 });
  return values.map(({ path, line, text }) => `${path.slice(5)}:${line} ${text.trim()}`);
}

describe('findValues()', () => {
  it.each([
    ['config.kt', '    @JvmField var port = 8080'],
    ['app.py', 'DEFAULT_PORT = 5000'],
    ['server.ts', 'const port = Number(env.PORT ?? 3000);'],
    ['main.go', 'viper.SetDefault("port", 8080)'],
    ['settings.yml', 'port: 8080'],
    ['README.md', 'The port defaults to 8080.'],
  ])('takes a literal beside the name: %s', (path, line) => {
    expect(placesOf({ [path]: line }, 'port')).toEqual([`${path}:1 ${line.trim()}`]);
  });

  it('goes on to the default of the same option', () => {
    const option = '#[arg(\n    long = "port",\n    default_value = "8080",\n)]\npub port: u16,';
    const [first] = placesOf({ 'args.rs': option }, 'port');
    expect(first).toContain('default_value = "8080"');
  });

  it('ends an option where its bracket closes or the next one begins', () => {
    const table = '{ .name = "port",\n  .type = NUMBER,\n  .scope = SERVER,\n  .minimum = 1,\n';
    const own = placesOf(
      { 'table.c': `${table}  .maximum = MAX,\n  .default_num = 80,\n},` },
      'port',
    );
    expect(own[0]).toContain('.default_num = 80');
    expect(
      placesOf({ 'table.c': `${table}},\n{ .name = "host", .default_num = 80,` }, 'port'),
    ).toEqual([]);
    const calls = 'parser.add_argument("--port")\nparser.add_argument("--host", default="x")';
    expect(placesOf({ 'app.py': calls }, 'port')).toEqual([]);
  });

  it('takes no word that only holds the name, and no use of it', () => {
    const text =
      'import x = 1\nexport const y = 2;\nsupport = 3\nlisten(port);\nif (port == other) {}';
    expect(placesOf({ 'a.ts': text }, 'port')).toEqual([]);
  });

  it('joins the words of a name in every spelling, and prefers the first name', () => {
    const files = {
      'a.py': 'timeout = 5\nREQUEST_TIMEOUT = 30',
      'b.ts': 'const requestTimeout = 20;',
    };
    const found = placesOf(files, 'request timeout', 'timeout');
    expect(found.toSorted()).toEqual([
      'a.py:2 REQUEST_TIMEOUT = 30',
      'b.ts:1 const requestTimeout = 20;',
    ]);
  });

  it('puts what the question speaks of first, and an empty value behind others', () => {
    const files = {
      'src/postgres.ts': 'const port = 5432;\n',
      'src/mysql.ts':
        'let port = null;\nlet other = 1;\nlet more = 2;\nlet last = 3;\nconst port = 3306;\n',
    };
    const asked = { names: ['port'], about: ['mysql'], place: 'work:', limit: 10 };
    expect(findValues(hostOf(files), asked).values.map(({ text }) => text)).toEqual([
      'const port = 3306;',
      'let port = null;',
      'const port = 5432;',
    ]);
  });
});
