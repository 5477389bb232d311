import { below, type Draft, from } from '../drafts.ts';
import type { Kind } from '../kind.ts';
import { asShown } from '../shape.ts';
import { questionForm as re } from '../words/question-form.ts';

/** What a version brought, or the newest one. */
export type ChangesReading = { kind: 'changes'; version?: string };

const ofVersion = re(
  String.raw`(?:what(?:'s| is| was)?|which changes are)(?: the)? (?:new|changed|changes|added)(?: in| with)? (?:(?:version|release|[\w@][\w@/-]*) )?v?(\d+(?:\.\d+)+)`,
);
/** `show section 1.2.0 of the changelog` */
const ofSection =
  /^(?=.*\b(?:change ?log|release notes)\b)(?!.*\b(?:how many|since|before|after|until)\b)[^?.!\d]*\bv?(\d+(?:\.\d+)+)(?=\s|[?.!]*$)\D*$/i;
/** `what's in the latest release?` */
const latest = re(
  `what(?:'s| is| was| has| have| are| were| did)?(?: been)?(?: the)? (?:(?:new|changed?|changes|added|fixed|news)(?: in| with)?|in)(?: the)? (?:latest|last|newest|current|most recent) (?:release|version)`,
);

export const changes: Kind<ChangesReading> = {
  form: ({ text }) => {
    const version = ofVersion.exec(text)?.[1] ?? ofSection.exec(text)?.[1];
    if (version !== undefined) return { kind: 'changes', version };
    return latest.test(text) ? { kind: 'changes' } : undefined;
  },
  rows: [
    {
      names: 'nothing',
      all: ['changelog release-notes changes', 'show open print what read latest'],
      also: 'log latest release notes',
      reads: ({ bag }) => (bag.all.has('changelog') ? { kind: 'changes' } : undefined),
    },
    {
      names: 'nothing',
      all: ['new', 'what'],
      also: 'changes release version latest',
      reads: () => ({ kind: 'changes' }),
    },
  ],
  named: () => ({ kind: 'changes' }),
  // The log itself may be named.
  applies: () => ['place'],
  plan: ({ version }, mentions) =>
    version === undefined
      ? [
          { tool: 'file.find', input: { pattern: changeLogs, limit: 1, ...below(mentions) } },
          { tool: 'file.read', input: { path: from('s1', '/paths/0'), end: 60 } },
        ]
      : [
          {
            tool: 'search.grep',
            input: {
              pattern: versionHeading(version),
              globs: [changeLogs],
              after: 30,
              grouped: true,
              limit: 5,
              ...below(mentions),
            },
          },
        ],
  // Some projects tell of their releases with tags alone.
  wider: ({ version }, { isFirst }) => {
    if (!isFirst) return undefined;
    const tags: Draft = { tool: 'git.branches', input: { tags: true } };
    const until = version ?? from('s1', '/tags/0/name');
    return [tags, { tool: 'git.log', input: { from: until, limit: 15 } }];
  },
  shape: (_, { isWidened }) => (isWidened ? {} : { ...asShown, says: 'the log of changes' }),
};

const changeLogs = `{${['CHANGELOG', 'CHANGES', 'HISTORY', 'NEWS', 'RELEASES', 'RELEASE_NOTES']
  .flatMap((name) => [name, name.toLowerCase(), `${name[0]}${name.slice(1).toLowerCase()}`])
  .concat('ChangeLog', 'RELEASE-NOTES', 'release-notes')
  .join(',')}}*`;

/** `## [1.2.3] - 2026-01-01`, `Version 1.2.3`, `1.2.3 / 2026-01-01`; no dependency's version, and no line of contents. */
function versionHeading(version: string): string {
  const number = version.replaceAll('.', String.raw`\.`);
  const word = String.raw`[A-Za-z][\w@/-]*`;
  // `CHANGES FROM 1.2.2 TO 1.2.3` is of the second one, and 3.5a is another than 3.5.
  return String.raw`^(?!.*\]\(#)(?:#+\s+(?:${word}\s+)?|[#=*\s]*)\[?(?:${word}\s+){0,2}(?:[\d.]+\w*\s+(?:to|TO)\s+)?v?${number}(?!\w|\s+(?:to|TO)\b)`;
}
