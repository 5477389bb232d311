import { describe, expect, it, vi } from 'vitest';
import { consentText } from '../cli/consent-text.ts';
import { capabilityNames } from '../contracts/capabilities.ts';
import type { Grant } from '../contracts/capability.ts';
import type { CommandVerdict, ConsentAnswer, ConsentRequest } from '../contracts/consent.ts';
import { type HostCaller, ServiceError } from '../contracts/host-service.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { createAskGrant, createAuthorize } from '../kernel/consent/authorize.ts';
import { formatGrant, parseGrant } from '../policy/parse-grant.ts';
import { GrantMissing } from '../programs/git/repository-folder.ts';
import { createConsentDesk } from './consent-desk.ts';
import { openConsentSessions } from './consent-sessions.ts';

const signal = new AbortController().signal;
const page = (path: string, sha256 = 'a') => ({
  capability: 'http' as const,
  origin: 'https://example.org',
  method: 'POST',
  url: `https://example.org${path}`,
  sends: { headerBytes: 0, bodyBytes: 1, sha256 },
});
const push = { capability: 'exec' as const, program: 'git', args: ['push'], cwd: 'work:' };

/** A desk with a person who gives these answers, one after the other, and no grants at all. */
function openDesk(
  answers: (ConsentAnswer | ((asked: ConsentRequest) => Promise<ConsentAnswer>))[],
  more: {
    verdicts?: Record<string, CommandVerdict>;
    grants?: string[];
    builtin?: boolean;
    confined?: boolean;
    runsSandboxed?: boolean;
    requireSandbox?: () => Promise<unknown>;
  } = {},
) {
  const asked: ConsentRequest[] = [];
  const journal: string[] = [];
  const kept: string[] = [];
  const grants: Grant[] = (more.grants ?? []).map(parseGrant);
  const settings = new Map<string, JsonObject>();
  let nowMs = 1_000_000;
  const clock = { nowMs: () => nowMs };
  const desk = createConsentDesk({
    askConsent: async (request) => {
      asked.push(request);
      const answer = answers.shift();
      if (answer === undefined) throw new Error('asked once too often');
      nowMs += 60_000;
      return typeof answer === 'function' ? await answer(request) : answer;
    },
    project: '/work',
    clock,
    grants: {
      add: ({ project }, [grant]) => {
        if (grant !== undefined) grants.push(grant);
        kept.push(`${formatGrant(grant as Grant)} in ${project}`);
      },
    },
    sessions: openConsentSessions({
      store: async () => ({
        getSetting: (key) => settings.get(key),
        sessions: () => [],
        setSetting: (key, value) => settings.set(key, value),
      }),
      clock,
    }),
    sessionOf: (run) => (run?.startsWith('of-') ? run.slice(3) : undefined),
    sandboxOf: async () => 'nothing',
    openHome: () => {},
    journaled: async (command, what, change) => {
      journal.push(`${command}: ${what}`);
      return change();
    },
  });
  const authorize = createAuthorize({
    readBy: () => undefined,
    authorityOf: async (caller) => ({
      manifest: { plugin: caller.plugin, builtin: more.builtin ?? false, wants: capabilityNames },
      grants: [...grants, ...(await desk.sessionGrants(caller))],
    }),
    judgeCommand: ({ args }) =>
      more.verdicts?.[args.join(' ')] ?? { decision: 'ask', reason: '', reader: false },
    confined: more.confined ?? true,
    runsSandboxed: more.runsSandboxed ?? false,
    requireJournal: async () => {},
    used: async () => {},
    requireSandbox: more.requireSandbox ?? (async () => {}),
    policy: { denied: [], served: new Set(capabilityNames) },
    desk,
  });
  const as = (run: string, plugin = 'p'): HostCaller => ({
    plugin,
    digest: 'd'.repeat(64),
    signal,
    run,
  });
  return { desk, authorize, as, asked, journal, kept, pass: (ms: number) => (nowMs += ms) };
}

describe('a request that nobody granted', () => {
  it('is no question where no program can run', async () => {
    const refused = new ServiceError('denied', 'there is no sandbox');
    const requireSandbox = vi.fn(async () => {
      throw refused;
    });
    const { authorize, as, asked } = openDesk([{ answer: 'once' }], { requireSandbox });
    await expect(authorize(push, as('r1'))).rejects.toBe(refused);
    expect(asked).toEqual([]);
    await authorize(page('/a'), as('r1'));
    expect(asked).toHaveLength(1);
    expect(requireSandbox).toHaveBeenCalledOnce();
  });

  it('is another question at another address, and with other content', async () => {
    const { authorize, as, asked } = openDesk([
      { answer: 'once' },
      { answer: 'no' },
      { answer: 'no' },
    ]);
    await authorize(page('/a'), as('r1'));
    await authorize(page('/a'), as('r1'));
    expect(asked).toHaveLength(1);
    const denied = { tag: 'denied' };
    await expect(authorize(page('/a?stolen=1'), as('r1'))).rejects.toMatchObject(denied);
    await expect(authorize(page('/a', 'b'), as('r1'))).rejects.toMatchObject(denied);
    expect(asked).toHaveLength(3);
  });
});

describe('a git that lacks a grant of its own', () => {
  const repository = new GrantMissing('it lies outside', {
    grant: { capability: 'repository', detail: '/other/.git' },
    asks: { repository: '/other/.git' },
  });
  const asking = (answers: ConsentAnswer[]) => {
    const opened = openDesk(answers);
    const ask = createAskGrant({
      desk: opened.desk,
      authorityOf: async (caller) => ({
        manifest: { plugin: caller.plugin, builtin: true, wants: [] },
        grants: [],
      }),
      git: () => ({ name: 'git', digest: 'e'.repeat(64) }),
    });
    return { ...opened, ask };
  };

  it('is asked about by itself, and the answer is kept for the plugin git', async () => {
    const { ask, as, asked, kept } = asking([{ answer: 'project' }]);
    await ask(push, repository, as('r1', 'shell'));
    expect(asked).toMatchObject([{ plugin: 'git', grant: 'repository:/other/.git' }]);
    expect(kept).toEqual(['repository:/other/.git in /work']);
    const text = consentText(asked[0] as ConsentRequest);
    expect(text).toContain('cuervo asks: may git use this repository?');
    expect(text).toMatch(/\n {2}folder +"\/other\/\.git"\n/);
    expect(text).not.toContain('edit the arguments');
  });

  it('is not covered by a yes to the command, and a no or other arguments deny it', async () => {
    const { ask, authorize, as, asked } = asking([
      { answer: 'once' },
      { answer: 'no' },
      { answer: 'edit', args: [] },
    ]);
    await authorize(push, as('r1', 'git'));
    await expect(ask(push, repository, as('r1', 'git'))).rejects.toMatchObject({ tag: 'denied' });
    await expect(ask(push, repository, as('r2', 'git'))).rejects.toMatchObject({ tag: 'denied' });
    expect(asked).toHaveLength(3);
  });
});

describe('a program that nobody granted', () => {
  it('runs after a yes, and the very same one is not asked about again in that run', async () => {
    const { authorize, as, asked, journal, desk } = openDesk([
      { answer: 'once' },
      { answer: 'no' },
      { answer: 'once' },
    ]);
    expect(await authorize(push, as('r1'))).toEqual({
      args: ['push'],
      readOnly: false,
      origins: [],
      sshHosts: [],
      filters: [],
      repositories: [],
    });
    await authorize(push, as('r1'));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      effect: push,
      plugin: 'p',
      grant: 'exec:git',
      inSession: false,
    });
    expect(journal).toEqual([
      `consent: once p@${'d'.repeat(64)} for exec ["git","push"] in work: of r1`,
    ]);
    // Other arguments, another folder, another run: another question.
    const forced = { ...push, args: ['push', '--force'] };
    await expect(authorize(forced, as('r1'))).rejects.toMatchObject({ tag: 'denied' });
    await authorize(push, as('r2'));
    expect(asked).toHaveLength(3);
    expect(desk.waitedMs()).toBe(3 * 60_000);
  });

  it('is shown with what no undo would take back, asked for only where a person is asked', async () => {
    const { authorize, as, asked } = openDesk([{ answer: 'once' }]);
    let looked = 0;
    const foresee = async (): Promise<string[]> => {
      looked += 1;
      return ['cannot be undone: it is too large'];
    };
    const exec = { capability: 'exec' as const, program: 'make', args: [], cwd: 'work:' };
    await authorize(exec, as('r1'), foresee);
    expect(asked[0]?.effect).toMatchObject({ lasting: ['cannot be undone: it is too large'] });
    expect(consentText(asked[0] as ConsentRequest)).toContain(
      'undo      "cannot be undone: it is too large"',
    );
    const allowed = openDesk([], {
      builtin: true,
      verdicts: { '': { decision: 'allow', reason: '', reader: false } },
    });
    await allowed.authorize(exec, allowed.as('r1'), foresee);
    expect(looked).toBe(1);
  });

  it('is shown with the origins that it may talk to, and gets those and no others', async () => {
    const origin = 'https://registry.example.org';
    const { authorize, as, asked, journal } = openDesk([{ answer: 'once' }], {
      grants: [`http:${origin}`],
    });
    expect((await authorize(push, as('r1'))).origins).toEqual([origin]);
    expect(consentText(asked[0] as ConsentRequest)).toContain(`  may talk  to "${origin}"\n`);
    expect(journal[0]).toContain(`in work: talking to ${origin} of r1`);
    const reader = openDesk([], {
      builtin: true,
      grants: [`http:${origin}`],
      verdicts: { push: { decision: 'allow', reason: '', reader: true } },
    });
    expect((await reader.authorize(push, reader.as('r1'))).origins).toEqual([]);
  });

  it('is asked about once by steps that need the same at once', async () => {
    const gate = Promise.withResolvers<ConsentAnswer>();
    const { authorize, as, asked } = openDesk([() => gate.promise]);
    const all = Promise.all([1, 2, 3].map(() => authorize(push, as('r1'))));
    await new Promise(setImmediate);
    expect(asked).toHaveLength(1);
    gate.resolve({ answer: 'once' });
    expect(await all).toHaveLength(3);
    expect(asked).toHaveLength(1);
  });

  it('is one question at a time where the needs differ', async () => {
    const gate = Promise.withResolvers<ConsentAnswer>();
    const { authorize, as, asked } = openDesk([() => gate.promise, { answer: 'no' }]);
    const first = authorize(push, as('r1'));
    const second = authorize({ ...push, args: ['fetch'] }, as('r1'));
    second.catch(() => {});
    await new Promise(setImmediate);
    expect(asked).toHaveLength(1);
    gate.resolve({ answer: 'once' });
    await first;
    await expect(second).rejects.toMatchObject({ tag: 'denied' });
    expect(asked).toHaveLength(2);
  });

  it('does not run after a no, and is not asked about again, nor after three of them', async () => {
    const no = { answer: 'no' } as const;
    const { authorize, as, asked, journal } = openDesk([no, no, no, no]);
    const tell = (arg: string, plugin?: string) =>
      authorize({ ...push, args: [arg] }, as('r1', plugin));
    const denied = {
      tag: 'denied',
      hint: 'cuervo plugin grant p exec:git keeps it, or --allow exec:git grants it for one run',
    };
    for (const arg of ['a', 'a', 'b', 'c', 'd', 'e']) {
      await expect(tell(arg)).rejects.toMatchObject(denied);
    }
    expect(asked.map(({ effect }) => 'args' in effect && effect.args[0])).toEqual(['a', 'b', 'c']);
    expect(journal).toHaveLength(3);
    // Another plugin has said nothing yet.
    await expect(tell('a', 'q')).rejects.toMatchObject({ tag: 'denied' });
    expect(asked).toHaveLength(4);
  });

  it('is granted for the project, or for the session and a day', async () => {
    const { authorize, as, asked, kept, pass } = openDesk([
      { answer: 'session' },
      { answer: 'no' },
      { answer: 'project' },
    ]);
    await authorize(push, as('of-s1'));
    await authorize({ ...push, args: ['fetch'] }, as('of-s1'));
    expect(asked).toHaveLength(1);
    await expect(authorize(push, as('of-s2'))).rejects.toMatchObject({ tag: 'denied' });
    pass(24 * 3_600_000);
    await authorize(push, as('of-s1'));
    expect(asked).toHaveLength(3);
    expect(kept).toEqual(['exec:git in /work']);
    await authorize({ ...push, args: ['anything'] }, as('elsewhere'));
    expect(asked).toHaveLength(3);
  });

  it('is asked about again with the arguments that were edited, and judged again', async () => {
    const edit = (...args: string[]) => ({ answer: 'edit' as const, args });
    const { authorize, as, asked } = openDesk(
      [edit('push', '--dry-run'), { answer: 'once' }, edit('push', '--force')],
      { verdicts: { 'push --force': { decision: 'deny', reason: 'no force', reader: false } } },
    );
    expect((await authorize(push, as('r1'))).args).toEqual(['push', '--dry-run']);
    expect(asked.map(({ effect }) => 'args' in effect && effect.args)).toEqual([
      ['push'],
      ['push', '--dry-run'],
    ]);
    await expect(authorize(push, as('r1'))).rejects.toMatchObject({
      tag: 'denied',
      message: 'no force',
    });
  });
});

describe('askTogether()', () => {
  const vectors = [['push'], ['tag', 'v1'], ['push']];

  /** What calls would ask, found out by rehearsals. */
  async function foreseen(desk: ReturnType<typeof openDesk>, run: string, all = vectors) {
    const needs = [];
    for (const [at, args] of all.entries()) {
      const rehearsal = { step: `s${at + 1}` };
      const caller = { ...desk.as(run), step: rehearsal.step, rehearsal };
      const rehearsed = desk.authorize({ ...push, args }, caller);
      await expect(rehearsed).rejects.toMatchObject({ tag: 'denied' });
      const need = desk.desk.foreseen(rehearsal);
      if (need !== undefined) needs.push(need);
    }
    return needs;
  }
  const call = (desk: ReturnType<typeof openDesk>, run: string, args: string[]) =>
    desk.authorize({ ...push, args }, desk.as(run));

  it('asks once for all, before them, and lets exactly those through', async () => {
    const desk = openDesk([{ answer: 'once' }, { answer: 'no' }]);
    const needs = await foreseen(desk, 'r1');
    expect(desk.asked).toEqual([]);
    await desk.desk.askTogether(needs, { signal });
    expect(desk.asked).toHaveLength(1);
    expect(desk.asked[0]?.covers?.map(({ step }) => step)).toEqual(['s1', 's2', 's3']);
    await Promise.all(vectors.map((args) => call(desk, 'r1', args)));
    expect(desk.asked).toHaveLength(1);
    // What differs in one argument was not shown, and is asked about.
    await expect(call(desk, 'r1', ['tag', 'v2'])).rejects.toMatchObject({ tag: 'denied' });
    expect(desk.asked).toHaveLength(2);
    expect(desk.journal).toHaveLength(4);
    expect(desk.journal.join()).toMatch(/once .*exec \["git","push"\].* of r1 s3/);
  });

  it('stops all of them by one no, with the reason', async () => {
    const desk = openDesk([{ answer: 'no' }]);
    await desk.desk.askTogether(await foreseen(desk, 'r1'), { signal });
    for (const args of vectors) {
      await expect(call(desk, 'r1', args)).rejects.toMatchObject({
        message: 'the user does not allow p to do this (exec)',
      });
    }
    expect(desk.asked).toHaveLength(1);
  });

  it('leaves each to its call where a person wants them one by one', async () => {
    const desk = openDesk([{ answer: 'each' }, { answer: 'once' }, { answer: 'no' }]);
    await desk.desk.askTogether(await foreseen(desk, 'r1'), { signal });
    await call(desk, 'r1', ['push']);
    await expect(call(desk, 'r1', ['tag', 'v1'])).rejects.toMatchObject({ tag: 'denied' });
    expect(desk.asked.map(({ covers }) => covers?.length)).toEqual([3, undefined, undefined]);
  });

  it('grants what s and p say, once', async () => {
    const desk = openDesk([{ answer: 'project' }]);
    await desk.desk.askTogether(await foreseen(desk, 'r1'), { signal });
    await call(desk, 'r1', ['other']);
    expect(desk.kept).toEqual(['exec:git in /work']);
    expect(desk.asked).toHaveLength(1);
  });

  it('asks nothing about one step, nor about what was answered', async () => {
    const desk = openDesk([{ answer: 'once' }]);
    await desk.desk.askTogether(await foreseen(desk, 'r1', [['push']]), { signal });
    expect(desk.asked).toEqual([]);
    const needs = await foreseen(desk, 'r1', [['push'], ['push']]);
    await desk.desk.askTogether(needs, { signal });
    await desk.desk.askTogether(needs, { signal });
    expect(desk.asked).toHaveLength(1);
    const ended = openDesk([{ answer: 'once' }]);
    const left = await foreseen(ended, 'r1');
    const stop = AbortSignal.abort(new Error('stopped'));
    await expect(ended.desk.askTogether(left, { signal: stop })).rejects.toThrow('stopped');
    expect(ended.asked).toEqual([]);
  });

  it('is shown with every effect, the steps that have it, and what each answer gives', async () => {
    const desk = openDesk([{ answer: 'no' }]);
    await desk.desk.askTogether(await foreseen(desk, 'r1'), { signal });
    const text = consentText(desk.asked[0] as ConsentRequest);
    expect(text).toContain('cuervo asks: 3 steps: may these programs run?');
    expect(text).toMatch(/steps +"s1", "s3"\n +program +"git"\n +argument +"push"\n/);
    expect(text).toMatch(/step +"s2"\n +program +"git"\n +argument +"tag"\n +argument +"v1"\n/);
    expect(text).toMatch(/covers +3 steps: "s1", "s2", "s3"\n/);
    expect(text).toMatch(/y {2}once: these alone/);
    expect(text).toMatch(/n {2}no, to all of them/);
  });
});

describe('expectTask()', () => {
  const part = (says: string, tools: string[], more: object = {}) => ({
    ...{ says, plugin: 'p', digest: 'd'.repeat(64), tools },
    grant: { capability: 'exec', detail: 'git' } as const,
    ...more,
  });
  const by = (desk: ReturnType<typeof openDesk>, tool: string, run = 'r1') => ({
    ...desk.as(run),
    tool,
  });
  function open(answers: Parameters<typeof openDesk>[0], more: object = {}) {
    const desk = openDesk(answers, { builtin: true, ...more });
    let foreseen = 0;
    desk.desk.expectTask('r1', async () => {
      foreseen += 1;
      return [
        part('stage and commit', ['git.stage', 'git.commit']),
        part('run the tests', ['shell.run-tests'], { effect: { ...push, args: ['test'] } }),
      ];
    });
    return { ...desk, foreseen: () => foreseen };
  }

  it('offers one yes for what was foreseen, which holds for that until the run ends', async () => {
    const desk = open([{ answer: 'task' }, { answer: 'no' }]);
    await desk.authorize({ ...push, args: ['add', 'a'] }, by(desk, 'git.stage'));
    expect(desk.asked[0]?.task).toEqual(['stage and commit', 'run the tests']);
    await desk.authorize({ ...push, args: ['commit'] }, by(desk, 'git.commit'));
    await desk.authorize({ ...push, args: ['test'] }, by(desk, 'shell.run-tests'));
    expect(desk.asked).toHaveLength(1);
    expect(desk.foreseen()).toBe(1);
    expect(desk.journal).toEqual([
      expect.stringMatching(
        /^consent: task p@d+ exec:git for stage and commit by git\.stage git\.commit/,
      ),
      expect.stringMatching(/^consent: task p@d+ exec:git for run the tests by shell\.run-tests/),
    ]);
    expect(desk.desk.allowedForTask('r1')).toEqual(['stage and commit', 'run the tests']);
    desk.desk.endRun('r1');
    await expect(
      desk.authorize({ ...push, args: ['add', 'b'] }, by(desk, 'git.stage')),
    ).rejects.toMatchObject({ tag: 'denied' });
    expect(desk.asked[1]?.task).toBeUndefined();
  });

  it.each([
    ['another tool', { ...push, args: ['restore'] }, { tool: 'git.restore' }, {}],
    [
      'other arguments of the tests',
      { ...push, args: ['test', 'x'] },
      { tool: 'shell.run-tests' },
      {},
    ],
    ['another program', { ...push, program: 'sh' }, { tool: 'git.stage' }, {}],
    ['another binary', push, { tool: 'git.stage', digest: 'e'.repeat(64) }, {}],
    ['another run', push, { tool: 'git.stage', run: 'r2' }, {}],
    [
      'a program that others can replace',
      { ...push, replaceable: true as const },
      { tool: 'git.stage' },
      {},
    ],
    [
      'what could leave the machine',
      push,
      { tool: 'git.stage' },
      { grants: ['http:https://a.org'] },
    ],
    ['what no sandbox holds', push, { tool: 'git.stage' }, { confined: false }],
  ])('asks about %s all the same', async (_, request, caller, more) => {
    // control: the first one of the same desk belongs to the task, unless nothing may.
    const isHeld = Object.keys(more).length === 0;
    const desk = open([...(isHeld ? [{ answer: 'task' as const }] : []), { answer: 'no' }], more);
    if (isHeld) await desk.authorize(push, by(desk, 'git.stage'));
    const calling = { ...by(desk, 'git.stage'), ...caller };
    await expect(desk.authorize(request, calling)).rejects.toMatchObject({ tag: 'denied' });
    expect(desk.asked).toHaveLength(isHeld ? 2 : 1);
    expect(desk.asked.at(-1)?.task).toBeUndefined();
  });

  it('asks about a file that other programs run, and about one that is read-only', async () => {
    const desk = openDesk([{ answer: 'task' }, { answer: 'no' }, { answer: 'no' }]);
    const grant = { capability: 'fs-write', detail: 'work' } as const;
    desk.desk.expectTask('r1', async () => [part('change files', ['file.write'], { grant })]);
    const write = (more: object, change: object = {}) =>
      desk.desk.ask({
        effect: {
          ...{ capability: 'fs-write', ...more },
          change: { kind: 'write', path: 'work:a', after: new Uint8Array(), ...change },
        },
        ...{ caller: by(desk, 'file.write'), builtin: true, grant, reason: '', hint: '' },
        isHeld: async () => false,
      });
    await write({});
    await write({}, { path: 'work:b' });
    expect(desk.asked).toHaveLength(1);
    const denied = { tag: 'denied' };
    await expect(write({ runBy: 'git' }, { path: 'work:c' })).rejects.toMatchObject(denied);
    await expect(write({}, { path: 'work:d', readOnly: '0444' })).rejects.toMatchObject(denied);
    expect(desk.asked.map(({ task }) => task)).toEqual([['change files'], undefined, undefined]);
  });

  it('takes no word for a task where none was offered', async () => {
    const desk = open([{ answer: 'task' }]);
    await expect(
      desk.authorize({ ...push, args: ['restore'] }, by(desk, 'git.restore')),
    ).rejects.toMatchObject({ tag: 'denied' });
    expect(desk.desk.allowedForTask('r1')).toEqual([]);
  });
});

describe('rules on programs', () => {
  const verdicts: Record<string, CommandVerdict> = {
    status: { decision: 'allow', reason: '', reader: true },
    build: { decision: 'allow', reason: '', reader: false },
    'push --force': { decision: 'deny', reason: 'no force', reader: false },
  };
  const run = (desk: ReturnType<typeof openDesk>, args: string) =>
    desk.authorize({ ...push, args: args.split(' ') }, desk.as('r1'));

  it('let built-in plugins read, and only them', async () => {
    const builtin = openDesk([], { verdicts, builtin: true });
    expect(await run(builtin, 'status')).toMatchObject({ readOnly: true });
    expect(await run(builtin, 'build')).toMatchObject({ readOnly: false });
    const stranger = openDesk([{ answer: 'no' }], { verdicts });
    await expect(run(stranger, 'status')).rejects.toMatchObject({ tag: 'denied' });
    expect(stranger.asked).toHaveLength(1);
  });

  it('let nobody run anything where no sandbox keeps a program to reading', async () => {
    const open = openDesk([{ answer: 'no' }], { verdicts, builtin: true, confined: false });
    await expect(run(open, 'status')).rejects.toMatchObject({ tag: 'denied' });
    expect(open.asked).toHaveLength(1);
    const granted = { verdicts, grants: ['exec:git'], builtin: true, confined: false };
    expect(await run(openDesk([], granted), 'status')).toMatchObject({ readOnly: false });
  });

  it('outweigh every grant where they deny, and nobody is asked', async () => {
    const granted = openDesk([], { verdicts, grants: ['exec:git'], builtin: true });
    expect(await run(granted, 'push')).toMatchObject({ readOnly: false });
    await expect(run(granted, 'push --force')).rejects.toMatchObject({
      message: 'no force',
      hint: 'A rule on programs denies it, and no grant outweighs a rule.',
    });
    expect(granted.asked).toEqual([]);
  });

  it('let built-in plugins run what stays in the sandbox, where a person said so', async () => {
    const said = { verdicts, builtin: true, runsSandboxed: true };
    expect(await run(openDesk([], said), 'test')).toMatchObject({ readOnly: false, origins: [] });
    await expect(run(openDesk([], said), 'push --force')).rejects.toMatchObject({
      message: 'no force',
    });
    // What is asked about all the same, and the same without a person's word.
    const asked = [
      { ...said, runsSandboxed: false },
      { ...said, builtin: false },
      { ...said, confined: false },
      { ...said, grants: ['http:https://example.org'] },
    ];
    for (const more of asked) {
      const desk = openDesk([{ answer: 'no' }], more);
      await expect(run(desk, 'test')).rejects.toMatchObject({ tag: 'denied' });
      expect(desk.asked).toHaveLength(1);
    }
    const other = openDesk([{ answer: 'no' }], said);
    const replaceable = { ...push, args: ['test'], replaceable: true as const };
    await expect(other.authorize(replaceable, other.as('r1'))).rejects.toMatchObject({
      tag: 'denied',
    });
  });

  it('are not asked about what no grant could name', async () => {
    const desk = openDesk([], {});
    const odd = { ...push, program: '../git' };
    await expect(desk.authorize(odd, desk.as('r1'))).rejects.toMatchObject({
      tag: 'denied',
      hint: expect.stringContaining('exec:PROGRAM'),
    });
    expect(desk.asked).toEqual([]);
  });
});
