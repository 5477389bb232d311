import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findWorkspace } from './find-workspace.ts';
import { findHome, loadConfig } from './load-config.ts';

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
    expect(load().log).toBe('off');
    expect(load({}, { CUERVO_LOG: 'debug' }).log).toBe('debug');
    expect(() => load({}, { CUERVO_LOG: 'loud' })).toThrow('CUERVO_LOG is "loud"');
    expect(load({ model: 'from-flag' }, env).model).toBe('from-flag');
    expect(load().limits.callTimeoutMs).toBe(5);
    expect(load({ callTimeoutMs: 9 }).limits.callTimeoutMs).toBe(9);
    expect(() => load({ model: '' })).toThrow('the name of the model is empty');
    expect(load().modelRole).toBe('word');
    expect(load({ modelRole: 'choose' }).modelRole).toBe('choose');
    expect(load().budget).toMatchObject({ rounds: 3, toolCalls: 50 });
  });

  it('finds the home in CUERVO_HOME, and keys only in the environment', () => {
    const env = { CUERVO_HOME: join(dir, 'home'), ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'u' };
    const config = loadConfig({ workspace: dir }, env, dir);
    expect(config.home).toBe(join(dir, 'home'));
    expect(config.anthropic).toEqual({ apiKey: 'k', baseUrl: 'u', thinks: false });
  });

  it('takes an empty variable for one that is not set', () => {
    const env = { CUERVO_MODEL: '', CUERVO_SECRETS_PASSPHRASE: '', ANTHROPIC_BASE_URL: '' };
    expect(load({}, env)).toMatchObject({ model: 'from-file', secretsPassphrase: undefined });
    expect(load({}, env).anthropic.baseUrl).toBeUndefined();
    expect(findHome(undefined, { CUERVO_HOME: '' })).toBe(join(homedir(), '.cuervo'));
    vi.stubEnv('HOME', '');
    expect(findHome(undefined, {})).toBe(join(userInfo().homedir, '.cuervo'));
    vi.unstubAllEnvs();
  });

  it('takes no config.toml that is a link to nothing for one that is not there', () => {
    const home = mkdtempSync(join(dir, 'a linked-'));
    symlinkSync('nowhere', join(home, 'config.toml'));
    expect(() => load({ home })).toThrow(
      expect.objectContaining({
        code: 'invalid-argument',
        message: `${join(home, 'config.toml')} is a link to a missing file`,
        hint: expect.stringContaining(`: readlink '${join(home, 'config.toml')}'`),
      }),
    );
  });
});

describe('findWorkspace()', () => {
  it('is the nearest parent with .git or cuervo.toml, else the current folder', () => {
    expect(findWorkspace(undefined, join(dir, 'repo/src/deep')).folder).toBe(join(dir, 'repo'));
    expect(findWorkspace(undefined, join(dir, 'project/sub')).folder).toBe(join(dir, 'project'));
    expect(findWorkspace(undefined, join(dir, 'home')).folder).toBe(join(dir, 'home'));
  });

  it('is what was named, from the current folder', () => {
    expect(findWorkspace('repo/src', dir).folder).toBe(join(dir, 'repo/src'));
  });

  it('says that it does not exist, or is not a folder', () => {
    expect(() => findWorkspace('none', dir)).toThrow('the workspace none does not exist');
    expect(() => findWorkspace('home/config.toml', dir)).toThrow(
      'the workspace home/config.toml is not a folder',
    );
  });
});

describe('loadConfig() with a cuervo.toml', () => {
  const loadProject = (text: string, overrides = {}) => {
    const workspace = join(dir, 'project');
    writeFileSync(join(workspace, 'cuervo.toml'), text);
    return load({ workspace, ...overrides });
  };

  it('takes what narrows', () => {
    const config = loadProject(`
protected = ["secrets/**"]
[capabilities]
deny = ["exec", "http:https://example.org"]
[limits]
call-timeout-ms = 4
max-output-bytes = 10
[budget]
rounds = 2
tokens = 1000
`);
    expect(config).toMatchObject({
      denied: [
        { text: 'exec', source: 'cuervo.toml' },
        { text: 'http:https://example.org', source: 'cuervo.toml' },
      ],
      protection: { added: ['secrets/**'], lifted: [] },
      ceilings: { callTimeoutMs: 4 },
      maxOutputBytes: 10,
      budget: { rounds: 2, toolCalls: 50, tokens: 1000 },
      warnings: [],
    });
  });

  it('leaves each limit that it would raise where it is, and says so', () => {
    const config = loadProject('[limits]\nmax-output-bytes = 900000\n[budget]\nrounds = 4\n');
    expect(config).toMatchObject({ maxOutputBytes: 100_000, budget: { rounds: 3 } });
    expect(config.warnings).toEqual([
      'cuervo.toml asks for budget.rounds 4, and 3 is the limit here: a project can only lower it',
      'cuervo.toml asks for limits.max-output-bytes 900000, and 100000 is the limit here: a project can only lower it',
    ]);
  });

  describe('and [privacy]', () => {
    const own = (text: string) =>
      writeFileSync(join(dir, 'home/config.toml'), `[privacy]\n${text}\n`);

    it.each([
      ['personal-data = "send"', '', 'send', []],
      ['personal-data = "send"', 'personal-data = "send"', 'send', []],
      ['personal-data = "send"', 'personal-data = "withhold"', 'withhold', []],
      ['personal-data = "send"', 'send = ["ipv4"]', 'withhold', ['ipv4']],
      ['personal-data = "send"', 'send = []', 'withhold', []],
      ['send = ["ipv4", "email"]', '', 'withhold', ['ipv4', 'email']],
      ['send = ["ipv4", "email"]', 'send = ["email"]', 'withhold', ['email']],
      ['send = ["ipv4", "email"]', 'personal-data = "withhold"', 'withhold', []],
    ])('sends of %j and the project %j what both send', (user, project, personalData, send) => {
      own(user);
      const config = loadProject(`[privacy]\n${project}\n`);
      expect(config.privacy).toEqual({ personalData, send });
      expect(config.warnings).toEqual([]);
    });

    it.each([
      ['', 'personal-data = "send"', [], 'privacy.personal-data "send"'],
      ['send = ["ipv4"]', 'personal-data = "send"', ['ipv4'], 'privacy.personal-data "send"'],
      ['send = ["ipv4"]', 'send = ["ipv4", "email"]', ['ipv4'], 'privacy.send "email"'],
    ])('sends no more than %j where the project says %j', (user, project, send, key) => {
      own(user);
      const config = loadProject(`[privacy]\n${project}\n`);
      expect(config.privacy).toEqual({ personalData: 'withhold', send });
      expect(config.warnings).toEqual([
        `cuervo.toml asks for ${key}, and your config.toml does not send that: a project can only send less`,
      ]);
    });
  });

  it.each([
    ['model = "claude"', '"model"'],
    ['[privacy]\nlog = "all"', '"privacy.log"'],
    ['model-role = "choose"', '"model-role"'],
    ['unprotected = [".env"]', '"unprotected"'],
    ['[anthropic]\nbase-url = "https://evil.example"', '"anthropic"'],
    ['[exec]\nsandbox = "none"', '"exec"'],
    ['[capabilities]\nallow = ["exec:sh"]', '"capabilities.allow"'],
    ['[[grant]]\nplugin = "file"', '"grant"'],
    ['["\\u001b[2J"]\nx = 1', String.raw`"\x1b[2J"`],
    ['[capabilities]\ndeny = "exec"', '"capabilities.deny"'],
    ['protected = ["../x"]', '"protected.0"'],
    ['protected = [', 'line 1'],
  ])('refuses %j, naming the key', (text, key) => {
    expect(() => loadProject(text)).toThrow(key);
    expect(() => loadProject(text)).toThrow(join(dir, 'project/cuervo.toml'));
  });

  it.each([
    ['model = "claude"', /^Remove it from /],
    ['protected = [', /^Correct line 1 of /],
    ['[budget]\nrounds = "many"', /^Correct it in /],
  ])('says what to do about %j', (text, hint) => {
    const thrown = expect.objectContaining({ hint: expect.stringMatching(hint) });
    expect(() => loadProject(text)).toThrow(thrown);
  });

  it('reports a workspace whose links form a circle', () => {
    const workspace = join(dir, 'circle');
    symlinkSync(workspace, workspace);
    expect(() => load({ workspace })).toThrow(`${workspace} leads back to itself through links`);
  });

  it('reads no link, no folder and nothing without an end', () => {
    const workspace = join(dir, 'odd');
    mkdirSync(workspace);
    const path = join(workspace, 'cuervo.toml');
    symlinkSync(join(dir, 'project/cuervo.toml'), path);
    expect(() => load({ workspace })).toThrow('cuervo.toml is a link');
    rmSync(path);
    symlinkSync('/dev/zero', path);
    expect(() => load({ workspace })).toThrow('cuervo.toml is a link');
    rmSync(path);
    mkdirSync(path);
    expect(() => load({ workspace })).toThrow('cuervo.toml is not a regular file');
    rmSync(path, { recursive: true });
    writeFileSync(path, `#${'x'.repeat(64 * 1024)}`);
    expect(() => load({ workspace })).toThrow('cuervo.toml is larger than 65536 bytes');
    writeFileSync(path, `#${'x'.repeat(64 * 1024 - 1)}`);
    expect(load({ workspace }).warnings).toEqual([]);
  });
});
