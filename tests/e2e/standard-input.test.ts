import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace } from '../support/place.ts';
import { program, twoLines } from '../support/run-cuervo.ts';
import { shell } from '../support/shell.ts';

const cuervo = `"${process.execPath}" "${program}"`;

describe('cuervo run TOOL -', () => {
  it('waits for a pipe that is not ready and larger than its buffer', async () => {
    using place = openPlace({});
    const late = `(sleep 0.3; printf '{"path":"n.txt","text":"'; head -c 300000 /dev/zero | tr '\\0' x; sleep 0.1; echo '"}')`;
    const ran = await shell(`${late} | ${cuervo} run file.write - --allow fs-write:work`, place);
    expect({ code: ran.code, error: ran.stderr.includes('error') }).toEqual({
      code: 0,
      error: false,
    });
    expect(readFileSync(join(place.work, 'n.txt'), 'utf8')).toBe('x'.repeat(300_000));
  });
});

describe('input without an end', () => {
  it.each([
    ['ask -', 2, /^the question has more than 1048576 characters, limit 32768$/],
    ['run file.read -', 5, /^file\.read: an input of more than 44040192 bytes, limit 7340032$/],
    ['memory add - --source x', 5, /^standard input has more than 16777216 bytes, the limit/],
    ['memory import -', 2, /^-:1 has more than 1048576 characters, the limit of a row$/],
    ['memory import long.txt', 2, /^long\.txt:1 has more than 1048576 characters/],
  ])('is refused by %s with the limit', async (command, code, words) => {
    using place = openPlace({ 'n.txt': 'one\n', 'long.txt': 'x'.repeat(2_000_000) });
    const ran = await shell(`${cuervo} ${command} </dev/zero`, place);
    expect(ran.code).toBe(code);
    expect(twoLines(ran).error).toMatch(words);
  });
});

describe('cuervo ask without -', () => {
  const trace =
    'Traceback (most recent call last):\n  File "lamp.py", line 2, in burn\nKeyError: oil\n';
  const files = { 'lamp.py': 'def burn():\n    return oil["whale"]\n', 't.txt': trace };
  const ask = `${cuervo} ask --model none "why does this fail?"`;

  it.each([
    ['a regular file', `${ask} < t.txt`],
    ['a pipe', `cat t.txt | ${ask}`],
    ['- behind the question', `${ask} - < t.txt`],
  ])('reads the trace in %s and opens its files', async (_, line) => {
    using place = openPlace(files);
    const ran = await shell(line, place);
    expect({ code: ran.code, opened: ran.stdout.includes('lamp.py:1') }).toEqual({
      code: 0,
      opened: true,
    });
  });

  it('does not wait for a pipe that a parent keeps, and names -', async () => {
    using place = openPlace(files);
    const line = `sleep 30 | (${cuervo} ask --model none "where is burn defined?"; echo "code $?" >&2; kill 0)`;
    const ran = await shell(`setsid sh -c '${line.replaceAll("'", `'"'"'`)}'`, place);
    expect(ran.stdout).toContain('def burn():');
    expect(ran.stderr).toContain('code 0');
    expect(ran.stderr).toContain('a - behind the question waits for it');
  });

  it('says nothing of an input that is not there', async () => {
    using place = openPlace(files);
    const ran = await shell(
      `${cuervo} ask --model none "where is burn defined?" </dev/null`,
      place,
    );
    expect({ code: ran.code, note: ran.stderr.includes('standard input') }).toEqual({
      code: 0,
      note: false,
    });
  });
});
