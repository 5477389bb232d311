import type { HistoryReading, Mentions } from '../contracts/intent.ts';
import type { InputRef } from '../contracts/plan.ts';
import { asTopic, type Draft, from } from './drafts.ts';

export function planHistory(reading: HistoryReading, mentions: Mentions): Draft[] {
  const { folder } = mentions;
  switch (reading.about) {
    case 'status':
      return [
        { tool: 'git.status', input: {} },
        ...(reading.patch ? [{ tool: 'git.diff', input: { from: 'HEAD' } }] : []),
      ];
    case 'branches':
      return [
        { tool: 'git.status', input: {} },
        { tool: 'git.branches', input: {} },
      ];
    case 'tags':
      return [{ tool: 'git.branches', input: { tags: true } }];
    case 'commit':
      return [{ tool: 'git.show', input: { commit: reading.commit } }];
    case 'compare':
      return [
        {
          tool: 'git.log',
          input: { from: `${reading.from}..${reading.to}`, limit: 10, count: true },
        },
        { tool: 'git.diff', input: { from: reading.from, to: reading.to } },
      ];
    case 'contributors':
      return [
        {
          tool: 'git.log',
          input: { authors: true, ...(folder === undefined ? {} : { paths: [folder] }) },
        },
      ];
    case 'topic': {
      const { words, oldest } = reading;
      const place = folder === undefined ? {} : { path: folder };
      return [
        { tool: 'file.find', input: { pattern: words.join(' '), limit: 100, ...place } },
        {
          tool: 'git.log',
          input: {
            topic: [...words],
            paths: from('s1', '/paths'),
            limit: reading.why === true ? 5 : 15,
            ...(oldest === true ? { oldest } : {}),
          },
        },
        ...(reading.why === true ? [shownCommit('s2')] : []),
      ];
    }
    case 'lines':
    case 'added':
      if (reading.name.startsWith('--')) return planHistory(asTopic(reading), mentions);
      return [
        { tool: 'search.definition', input: { name: reading.name, limit: 1 } },
        {
          tool: 'git.log',
          input: {
            ...(reading.about === 'added'
              ? { limit: 3, oldest: true }
              : { limit: reading.why === true ? 5 : 15 }),
            lines: {
              path: from('s1', '/definitions/0/path'),
              start: from('s1', '/definitions/0/line'),
              end: from('s1', '/definitions/0/endLine'),
            },
          },
        },
        ...(reading.why === true || reading.about === 'added'
          ? [shownCommit('s2', from('s1', '/definitions/0/path'))]
          : []),
      ];
    case 'authors':
      return [
        { tool: 'file.find', input: { pattern: reading.path, limit: 5 } },
        { tool: 'git.blame', input: { path: from('s1', '/paths/0'), authorsOnly: true } },
        { tool: 'git.log', input: { paths: [from('s1', '/paths/0')], limit: 5 } },
      ];
    case 'log': {
      const { limit, path, since, from: range, author, count, oldest } = reading;
      // A bare name is that of a file anywhere; git would look for it in the root.
      const isBare = path !== undefined && !path.includes('/');
      const place = isBare ? from('s1', '/paths/0') : (path ?? folder);
      return [
        ...(isBare ? [{ tool: 'file.find', input: { pattern: path, limit: 5 } }] : []),
        {
          tool: 'git.log',
          input: {
            limit,
            ...(since === undefined ? {} : { since }),
            ...(range === undefined ? {} : { from: range }),
            ...(author === undefined ? {} : { author }),
            ...(place === undefined ? {} : { paths: [place] }),
            ...(count === true ? { count } : {}),
            ...(oldest === true ? { oldest } : {}),
          },
        },
        ...(reading.why === true ? [shownCommit(isBare ? 's2' : 's1', place)] : []),
      ];
    }
  }
}

/** Whole, with its message, and what it changed in the file that is asked about. */
function shownCommit(log: string, path?: InputRef | string): Draft {
  const paths = path === undefined ? {} : { paths: [path] };
  return { tool: 'git.show', input: { commit: from(log, '/commits/0/hash'), ...paths } };
}
