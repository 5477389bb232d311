import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInTerminal, terminalMissing } from '../fixtures/terminal/run-in-terminal.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const missing = terminalMissing();

const source = `import { definePlugin, v } from '@cuervo/sdk';
const people = [
  { hours: 7, name: 'Ann', role: null },
  { name: 'Bernadette', role: 'lead', hours: 38.5 },
];
const tools = [
  {
    name: 'list-people',
    description: 'Lists the people of the team with their hours of work.',
    output: v.object({
      total: v.pipe(v.number(), v.title('Hours in all')),
      people: v.array(v.object({ name: v.pipe(v.string(), v.title('Name')), role: v.nullable(v.string()), hours: v.number() })),
    }),
    content: { people, total: 45.5 },
    summary: '2 people',
  },
  {
    name: 'find-matches',
    description: 'Finds the matches of a season, none of which is a line of a file.',
    content: { matches: [{ home: 'A', goals: 3 }] },
    summary: '1 match',
  },
  {
    name: 'write-letter',
    description: 'Writes a letter, which looks like JSON.',
    output: v.string(),
    content: '{\\n  "dear": "you"\\n}',
    summary: 'one letter',
  },
];
export default definePlugin({
  name: 'team',
  version: '0.1.0',
  description: 'Knows a team.',
  wants: [],
  tools: tools.map(({ content, summary, ...tool }) => ({
    ...tool,
    effect: 'pure',
    input: v.object({}),
    examples: [{}],
    run: () => ({ content, summary }),
  })),
});
`;

describe('the answer of a plugin', () => {
  let place: Place;

  beforeAll(async () => {
    place = openPlace({ 'plugin.ts': source, 'notes.md': 'The people of the team work.\n' });
    const built = await place.cuervo(['plugin', 'build', '.']);
    expect(built).toMatchObject({ code: 0 });
    const installed = await place.cuervo(['plugin', 'install', 'dist/team.wasm', '--yes']);
    expect(installed).toMatchObject({ code: 0 });
  });

  afterAll(() => place[Symbol.dispose]());

  const atTerminal = async (tool: string): Promise<string> => {
    const { code, screen } = await runInTerminal([process.execPath, program, 'run', tool], [], {
      cwd: place.work,
      env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home, NO_COLOR: '1' },
    });
    expect(code).toBe(0);
    return screen.split('\u001b[K').at(-1) ?? '';
  };

  it.skipIf(missing)('is its summary and then a table by its schema, at a terminal', async () => {
    expect(await atTerminal('team.list-people')).toBe(
      [
        '2 people',
        'Hours in all: 45.5',
        'people:',
        'Name        role  hours',
        'Ann                   7',
        'Bernadette  lead   38.5',
        '',
      ].join('\n'),
    );
    expect(await atTerminal('team.find-matches')).toBe('1 match\nmatches:\nhome  goals\nA     3\n');
    expect(await atTerminal('team.write-letter')).toBe('one letter\n{\n  "dear": "you"\n}\n');
  });

  it('is what the plugin gave in a pipe', async () => {
    const ran = await place.cuervo(['run', 'team.list-people']);
    const people =
      '[{"hours":7,"name":"Ann","role":null},{"name":"Bernadette","role":"lead","hours":38.5}]';
    expect(ran.stdout).toBe(`{"people":${people},"total":45.5}\n`);
    expect(ran.stderr).toBe('2 people\n');
  });

  it('leads the answer to a question that its tool was chosen for', async () => {
    const { stdout } = await place.cuervo(['ask', 'list the people of the team and their hours']);
    expect(stdout).toContain(
      [
        'The plugin team says: 2 people:',
        '  Hours in all: 45.5',
        '  people:',
        '  Name        role  hours',
        '  Ann                   7',
        '  Bernadette  lead   38.5',
      ].join('\n'),
    );
    expect(stdout.indexOf('2 people')).toBeLessThan(stdout.indexOf('notes.md:1'));
  });
});
