import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTerminal, tmuxMissing } from '../fixtures/terminal/in-tmux.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const missing = tmuxMissing();
const prompt = '[y/p/e/n/?] ';
const before = 'one\ntwo\nthree\n';

/** A shell at a terminal in which an edit was asked for. */
function openEdit(place: Place, env: Readonly<Record<string, string>> = {}) {
  const base = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: place.dir, CUERVO_HOME: place.home };
  const terminal = openTerminal({ cwd: place.work, env: { ...base, ...env } });
  const edit = (): void => {
    const input = JSON.stringify({ path: 'a.txt', old: 'two', new: '2' });
    terminal.type(`'${process.execPath}' '${program}' run file.edit '${input}'; echo ended $?`);
  };
  edit();
  return { ...terminal, edit, textOf: () => readFileSync(join(place.work, 'a.txt'), 'utf8') };
}

describe(`a change of a file${missing === undefined ? '' : `, skipped: ${missing}`}`, () => {
  it.skipIf(missing)('is shown as a diff and made by y', async () => {
    using place = openPlace({ 'a.txt': before });
    using terminal = openEdit(place);
    await terminal.waitFor(prompt);
    expect(terminal.screen()).toMatch(/ {10}\| one\n {8}- \| two\n {8}\+ \| 2\n {10}\| three\n/);
    expect(terminal.textOf()).toBe(before);
    terminal.type('y');
    await terminal.waitFor('ended 0');
    expect(terminal.textOf()).toBe('one\n2\nthree\n');
  });

  it.skipIf(missing)('is canceled by n', async () => {
    using place = openPlace({ 'a.txt': before });
    using terminal = openEdit(place);
    await terminal.waitFor(prompt);
    terminal.type('n');
    await terminal.waitFor('ended 3');
    expect(terminal.textOf()).toBe(before);
  });

  it.skipIf(missing)('is edited by e, shown once more, made by y, and taken back', async () => {
    using place = openPlace({ 'a.txt': before });
    using terminal = openEdit(place, { EDITOR: 'sed -i s/^2/zwei/' });
    await terminal.waitFor(prompt);
    terminal.type('e');
    await terminal.waitFor(prompt, 2);
    expect(terminal.screen()).toMatch(/- \| two\n +\+ \| zwei\n/);
    expect(terminal.textOf()).toBe(before);
    terminal.type('y');
    // The tool hears that its own text is not what stands there.
    await terminal.waitFor('ended 8');
    expect(terminal.screen()).toContain('holds a text that the user edited');
    expect(terminal.textOf()).toBe('one\nzwei\nthree\n');
    expect((await place.cuervo(['undo', '--yes'])).code).toBe(0);
    expect(terminal.textOf()).toBe(before);
  });

  it.skipIf(missing)(
    'is asked about again where the editor fails, and n still stops it',
    async () => {
      using place = openPlace({ 'a.txt': before });
      using terminal = openEdit(place, { VISUAL: 'no-such-editor' });
      await terminal.waitFor(prompt);
      terminal.type('e');
      await terminal.waitFor(prompt, 2);
      expect(terminal.screen()).toContain('the editor "no-such-editor" failed');
      terminal.type('n');
      await terminal.waitFor('ended 3');
      expect(terminal.textOf()).toBe(before);
    },
  );

  it.skipIf(missing)(
    'is asked about again next time after y, and not after p in this project',
    async () => {
      using place = openPlace({ 'a.txt': before });
      using terminal = openEdit(place);
      await terminal.waitFor(prompt);
      terminal.type('y');
      await terminal.waitFor('ended 0');
      expect((await place.cuervo(['undo', '--yes'])).code).toBe(0);
      terminal.edit();
      await terminal.waitFor(prompt, 2);
      terminal.type('p');
      await terminal.waitFor('ended 0', 2);
      expect(existsSync(join(place.home, 'grants.toml'))).toBe(true);
      expect((await place.cuervo(['undo', '--yes'])).code).toBe(0);
      terminal.edit();
      await terminal.waitFor('ended 0', 3);
      expect(terminal.screen().split('cuervo asks:').length - 1).toBe(2);
      expect(terminal.textOf()).toBe('one\n2\nthree\n');
    },
  );
});
