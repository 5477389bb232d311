import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-cuervo.ts';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.skipIf(!hasSystemd)('the unit of systemd in examples (needs systemd-analyze)', () => {
  it('has only what systemd knows, and starts the worker', () => {
    const dir = mkdtempSync(join(tmpdir(), 'cuervo-unit-'));
    const verify = (text: string): string => {
      const path = join(dir, 'cuervo-worker.service');
      writeFileSync(path, text);
      const env = { ...process.env, XDG_RUNTIME_DIR: dir };
      const args = ['--user', '--man=no', 'verify', path];
      const { stdout, stderr, status } = spawnSync('systemd-analyze', args, {
        env,
        encoding: 'utf8',
      });
      return `${status}: ${stdout}${stderr}`;
    };
    const unit = readFileSync(resolve(root, 'examples/systemd/cuervo-worker.service'), 'utf8');
    expect(unit).toMatch(/^ExecStart=\/usr\/local\/bin\/cuervo worker$/m);
    // It has to be there.
    const here = unit.replace('/usr/local/bin/cuervo', process.execPath);
    expect(verify(here)).toBe('0: ');
    expect(verify(here.replace('KillMode', 'KillMod'))).toContain("Unknown key 'KillMod'");
    rmSync(dir, { recursive: true });
  });
});
