import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const source = `import { definePlugin, v } from '@cuervo/sdk';
export default definePlugin({
  name: 'notes', version: '0.2.0', description: 'Says one word to its user.', licence: 'MIT', wants: [],
  tools: [{ name: 'say', description: 'Says the word of the plugin.', effect: 'pure', input: v.object({}), examples: [{}],
    run: () => ({ content: 'word', summary: 'a word' }) }],
});
`;

/** The commands of its steps, in their order. */
const commandsOf = (workflow: string): string[] =>
  [...workflow.matchAll(/^ +(?:- )?run: (.+)$/gm)].map(([, command = '']) => command);

async function workflowOf(place: Place, folder: string, ...targets: string[]): Promise<string> {
  const ran = await place.cuervo(['plugin', 'publish', folder, ...targets, '--workflow']);
  expect(ran).toMatchObject({ code: 0 });
  return ran.stdout;
}

/** A command of a step as the runner starts it, with this cuervo and a registry that gets nothing. */
function runStep(place: Place, command: string): { code: number | null; text: string } {
  const bin = join(place.dir, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'cuervo'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, 'cuervo'), 0o755);
  const unsent = command.replace(' --yes', ' --yes --dry-run');
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', unsent], {
    cwd: place.work,
    encoding: 'utf8',
    env: {
      PATH: `${bin}:${join(process.execPath, '..')}:${process.env.PATH}`,
      HOME: place.dir,
      CUERVO_HOME: place.home,
      SOURCE_DATE_EPOCH: '1',
      GITHUB_REF_NAME: 'v0.2.0',
      GITHUB_OUTPUT: join(place.dir, 'output'),
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/notes',
    },
  });
  return { code: status, text: stdout + stderr };
}

describe('the workflow that plugin publish prints', () => {
  it('builds, compares and publishes from the root of the repository', async () => {
    using place = openPlace({ 'my plugins/notes/plugin.ts': source });
    mkdirSync(join(place.work, '.git'));
    const folder = join(place.work, 'my plugins/notes');
    writeFileSync(join(folder, 'README.md'), '# notes\n');
    const cases = join(folder, 'notes.cases.json');
    const passing = [{ name: 'says it', tool: 'say', input: {}, expect: { content: 'word' } }];
    writeFileSync(cases, JSON.stringify(passing));
    expect(await place.cuervo(['plugin', 'build', folder])).toMatchObject({ code: 0 });
    const workflow = await workflowOf(place, folder, 'npm:@acme/notes', 'oci://ghcr.io/acme/notes');
    expect(workflow).not.toContain(place.work);
    const [install = '', ...commands] = commandsOf(workflow);
    expect(install).toBe('npm install --global npm@latest cuervo');
    expect(commands.length).toBeGreaterThan(5);
    for (const command of commands)
      expect({ command, ...runStep(place, command) }).toMatchObject({ command, code: 0 });
    expect(readFileSync(join(place.dir, 'output'), 'utf8')).toMatch(
      /^digest=sha256:[0-9a-f]{64}\n$/,
    );
    writeFileSync(join(place.work, 'two.wasm'), 'another');
    // what goes out is what is tested, checked, and built without what only its author needs
    const [test = '', check = ''] = commands.filter((each) => / plugin (?:test|check) /.test(each));
    const [one, two] = commands.filter((each) => each.includes(' plugin build '));
    expect([one, two].every((build) => build?.includes(' --release '))).toBe(true);
    writeFileSync(cases, JSON.stringify([{ ...passing[0], expect: { content: 'other' } }]));
    expect(runStep(place, test).code).toBe(1);
    writeFileSync(join(folder, 'plugin.ts'), source.replace("licence: 'MIT', ", ''));
    expect(runStep(place, check).code).toBe(1);
    const compare = commands.find((command) => command.startsWith('cmp ')) ?? '';
    expect(runStep(place, compare).code).toBe(1);
  }, 600_000);

  it('brings the toolchain of the language, and compares no builds of Python', async () => {
    const toml = 'name = "notes"\nversion = "0.2.0"\ndescription = "Says a word."\n';
    using place = openPlace({ 'plugin.ts': source });
    expect(await place.cuervo(['plugin', 'build', '.'])).toMatchObject({ code: 0 });
    place.write({ 'plugin.toml': toml });
    const told: Record<string, string> = {};
    for (const [language, file] of [
      ['rust', 'Cargo.toml'],
      ['go', 'go.mod'],
      ['python', 'plugin.py'],
      ['c', 'main.c'],
    ] as const) {
      using own = openPlace({ 'plugin.toml': toml, [file]: '' });
      mkdirSync(join(own.work, 'dist'));
      writeFileSync(
        join(own.work, 'dist/notes.wasm'),
        readFileSync(join(place.work, 'dist/notes.wasm')),
      );
      told[language] = await workflowOf(own, '.', 'oci://ghcr.io/acme/notes');
    }
    expect(told.rust).toContain('run: rustup target add wasm32-wasip1');
    expect(told.go).toContain('uses: actions/setup-go@');
    expect(told.c).toContain('run: pip install ziglang');
    expect(told.python).toContain('run: pip install componentize-py');
    expect(Object.entries(told).filter(([, text]) => text.includes('cmp one.wasm'))).toHaveLength(
      3,
    );
    for (const text of Object.values(told)) expect(text).not.toContain('--provenance');
  }, 180_000);
});
