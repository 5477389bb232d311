import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TalkPart } from '../contracts/talk.ts';
import { openStore } from './open-store.ts';

const dayMs = 24 * 3_600_000;
const nowMs = 1_000 * dayMs;
const said = (text: string): TalkPart => ({ kind: 'reply', text, calls: [] });

function open() {
  let id = 0;
  const store = openStore({ path: ':memory:', newId: () => `s${++id}` });
  const session = store.createSession('/work', 'birds', nowMs);
  const add = (run: string, text: string, ts = nowMs): void =>
    store.addTalk({ session: session.id, run, ts, part: said(text) });
  const texts = (of = session.id): string[] =>
    store.talk(of).map(({ part }) => (part.kind === 'reply' ? part.text : part.kind));
  return { store, session, add, texts };
}

describe('talkQueries()', () => {
  it('gives parts in the order in which they came', () => {
    const { store, add, texts } = open();
    using _ = store;
    add('r1', 'heron');
    add('r2', 'owl');
    expect(texts()).toEqual(['heron', 'owl']);
  });

  it('prunes by age, and the oldest beyond the bytes that are kept', () => {
    const { store, add, texts } = open();
    using _ = store;
    add('r1', 'old', nowMs - 91 * dayMs);
    for (const each of ['a', 'b', 'c', 'd']) add(each, each.repeat(1_000));
    store.prune(nowMs, { bytes: 1e6, days: 90 });
    expect(texts()).toHaveLength(4);
    store.prune(nowMs, { bytes: 2_500, days: 90 });
    expect(texts().map((text) => text[0])).toEqual(['c', 'd']);
    store.prune(nowMs, { bytes: 10, days: 90 });
    expect(texts()).toEqual([]);
  });

  it('copies a session up to and with a run, and deletes it with all it holds', () => {
    const { store, session, add, texts } = open();
    using _ = store;
    for (const run of ['r1', 'r2', 'r3']) add(run, run);
    const fork = store.forkSession(session, { throughRun: 'r2', nowMs });
    expect(texts(fork?.id)).toEqual(['r1', 'r2']);
    expect(texts(store.forkSession(session, { nowMs })?.id)).toEqual(['r1', 'r2', 'r3']);
    expect(store.forkSession(session, { throughRun: 'none', nowMs })).toBeUndefined();
    store.deleteSession(session.id, store.runsOf(session.id));
    expect(texts()).toEqual([]);
    expect(texts(fork?.id)).toEqual(['r1', 'r2']);
    expect(store.session(session.id)).toBeUndefined();
  });

  it('forgets what came of a run whose words are forgotten, and all replies', () => {
    const { store, add, texts } = open();
    using _ = store;
    add('r1', 'heron');
    add('r2', 'owl');
    store.keepReply('k', '[]', { nowMs, maxBytes: 100 });
    store.forgetWords([{ run: 'r1', role: 'user' }]);
    expect(texts()).toEqual(['owl']);
    expect(store.keptReply('k', 0)).toBeUndefined();
  });

  it('forgets the words of a run that stays listed, and no others', () => {
    const { store, session } = open();
    using _ = store;
    const run = { session: session.id, command: 'ask', project: '/work', model: 'none' };
    for (const [id, question] of [
      ['r1', 'remember that the word is heron'],
      ['r2', 'the word is heron, is it?'],
    ] as const) {
      const at = { status: 'ok', startedMs: nowMs, finishedMs: nowMs };
      store.startRun({ ...run, id, question, ...at });
    }
    store.forgetWords([{ run: 'r1', role: 'user' }]);
    expect(store.run('r1')?.question).toBe('(forgotten)');
    expect(store.run('r2')?.question).toBe('the word is heron, is it?');
  });

  it('has deleted words in no file while another process has the store open', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cuervo-log-'));
    using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    const path = join(folder, 'cuervo.db');
    const isThere = () =>
      [path, `${path}-wal`].some(
        (each) => existsSync(each) && readFileSync(each).includes('zyzzyv'),
      );
    using other = openStore({ path });
    using store = openStore({ path });
    expect(other.sessions({ limit: 1 })).toEqual([]);
    const { id } = store.createSession('/work', 'zyzzyva', nowMs);
    store.deleteSession(id, []);
    // control: the log still holds what was deleted
    expect(isThere()).toBe(true);
    store.scrub();
    expect(isThere()).toBe(false);
  });

  it('keeps the newest replies that fit', () => {
    const { store } = open();
    using _ = store;
    for (const at of [1, 2, 3]) {
      store.keepReply(`k${at}`, JSON.stringify('x'.repeat(38)), { nowMs: at, maxBytes: 100 });
    }
    expect(store.keptReply('k1', 0)).toBeUndefined();
    expect(store.keptReply('k2', 0)).toBeDefined();
    expect(store.keptReply('k3', 4)).toBeUndefined();
  });

  it('adds up what a day costs', () => {
    const { store } = open();
    using _ = store;
    expect(store.spentOn('2026-11-26')).toBe(0);
    store.addSpending('2026-11-26', 0.25);
    store.addSpending('2026-11-26', 0.5);
    store.addSpending('2026-11-27', 9);
    expect(store.spentOn('2026-11-26')).toBe(0.75);
  });
});
