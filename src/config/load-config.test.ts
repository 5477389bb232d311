import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWorkspace } from './find-workspace.ts';
import { loadConfig } from './load-config.ts';

let dir: string;
beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-config-')));
  mkdirSync(join(dir, 'repo/.git'), { recursive: true });
  mkdirSync(join(dir, 'repo/src/deep'), { recursive: true });
  mkdirSync(join(dir, 'project/sub'), { recursive: true });
  writeFileSync(join(dir, 'project/cuervo.toml'), '');
  mkdirSync(join(dir, 'home'));
  writeFileSync(
    join(dir, 'home/config.toml'),
    'model = "from-file"\nmodel-role = "word"\n[limits]\ncall-timeout-ms = 5\n[budget]\nrounds = 3\n',
  );
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const load = (overrides = {}, env = {}) =>
  loadConfig({ home: join(dir, 'home'), workspace: dir, ...overrides }, env, dir);

describe('loadConfig()', () => {
  it('has finite defaults where nobody said anything', () => {
    const config = load({ home: join(dir, 'nowhere') });
    expect(config).toMatchObject({
      home: join(dir, 'nowhere'),
      workspace: dir,
      model: 'none',
      modelRole: 'auto',
      limits: {},
      budget: { rounds: 25, toolCalls: 50, tokens: 200_000, durationMs: 600_000 },
    });
  });

  it('takes flags over the environment over the file', () => {
    const env = { CUERVO_MODEL: 'from-env' };
    expect(load().model).toBe('from-file');
    expect(load({}, env).model).toBe('from-env');
    expect(load({ model: 'from-flag' }, env).model).toBe('from-flag');
    expect(load().limits.callTimeoutMs).toBe(5);
    expect(load({ callTimeoutMs: 9 }).limits.callTimeoutMs).toBe(9);
    expect(load().modelRole).toBe('word');
    expect(load({ modelRole: 'choose' }).modelRole).toBe('choose');
    expect(load().budget).toMatchObject({ rounds: 3, toolCalls: 50 });
  });

  it('finds the home in CUERVO_HOME, and keys only in the environment', () => {
    const env = { CUERVO_HOME: join(dir, 'home'), ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'u' };
    const config = loadConfig({ workspace: dir }, env, dir);
    expect(config.home).toBe(join(dir, 'home'));
    expect(config.anthropic).toEqual({ apiKey: 'k', baseUrl: 'u' });
  });
});

describe('findWorkspace()', () => {
  it('is the nearest parent with .git or cuervo.toml, else the current folder', () => {
    expect(findWorkspace(undefined, join(dir, 'repo/src/deep'))).toBe(join(dir, 'repo'));
    expect(findWorkspace(undefined, join(dir, 'project/sub'))).toBe(join(dir, 'project'));
    expect(findWorkspace(undefined, join(dir, 'home'))).toBe(join(dir, 'home'));
  });

  it('is what was named, from the current folder', () => {
    expect(findWorkspace('repo/src', dir)).toBe(join(dir, 'repo/src'));
  });

  it('says that it does not exist, or is no folder', () => {
    expect(() => findWorkspace('none', dir)).toThrow('the workspace none does not exist');
    expect(() => findWorkspace('home/config.toml', dir)).toThrow(
      'the workspace home/config.toml is no folder',
    );
  });
});
