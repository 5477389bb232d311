import { KernelError } from '../contracts/error.ts';
import type { AskIntent, Intent, Mentions, Reading } from '../contracts/intent.ts';

type Kind = Reading['kind'];

/** What each kind makes of what a question names, where its words were not read so. */
const fromMentions: { readonly [Each in Kind]: (mentions: Mentions) => Reading | undefined } = {
  how: () => ({ kind: 'how' }),
  where: ({ names: [name] }) => ({ kind: 'where', ...(name === undefined ? {} : { name }) }),
  guide: () => ({ kind: 'guide' }),
  about: () => ({ kind: 'about' }),
  changes: () => ({ kind: 'changes' }),
  definition: (mentions) =>
    ofName(mentions, (name) => ({ kind: 'definition', name, isName: true, isWord: true })),
  references: (mentions) => ofName(mentions, (name) => ({ kind: 'references', name })),
  tests: (mentions) => ofName(mentions, (name) => ({ kind: 'tests', name })),
  file: (mentions) => ofPath(mentions, (path) => ({ kind: 'file', path, lines: {} })),
  imports: (mentions) =>
    ofPath(mentions, (path) => ({ kind: 'imports', path, direction: 'importedBy' })),
  outline: (mentions) => ofPath(mentions, (path) => ({ kind: 'outline', path })),
  history: (mentions) =>
    ofPath(mentions, (path) => ({ kind: 'history', about: 'log', path, limit: 15 })) ??
    ofName(mentions, (name) => ({ kind: 'history', about: 'lines', name })) ?? {
      kind: 'history',
      about: 'log',
      limit: 15,
    },
  comparison: ({ names: [one, other] }) =>
    one === undefined || other === undefined
      ? undefined
      : { kind: 'comparison', names: [one, other] },
  listing: () => ({ kind: 'listing', pattern: '*', tree: true }),
  todo: () => ({ kind: 'todo' }),
  complexity: () => ({ kind: 'complexity' }),
  value: ({ words }) =>
    words.length === 0 ? undefined : { kind: 'value', of: words.slice(0, 3).join(' ') },
  members: ({ words }) => {
    const of = words.at(-1);
    return of === undefined ? undefined : { kind: 'members', of };
  },
  size: () => ({ kind: 'size', about: 'place', path: '.' }),
  web: ({ url }) => (url === undefined ? undefined : { kind: 'web', url }),
  manifest: () => undefined,
  collection: () => undefined,
};

/**
 * The same question, read as the kind that a person says.
 *
 * @throws {KernelError} `invalid-argument` for an unknown kind, or one that the question names nothing for
 */
export function intentAs(intent: Intent, kind: string | undefined): Intent {
  if (kind === undefined) return intent;
  if (intent.kind !== 'ask') {
    throw new KernelError('invalid-argument', `--as ${kind} needs a question`, {
      hint: 'A call of a tool and a note are what they say.',
    });
  }
  const kinds = Object.keys(fromMentions).toSorted();
  if (!Object.hasOwn(fromMentions, kind)) {
    throw new KernelError('invalid-argument', `--as ${kind} is not a kind of question`, {
      hint: `The kinds are ${kinds.join(', ')}.`,
    });
  }
  const { readings, mentions } = intent;
  const chosen =
    readings.find((each) => each.kind === kind) ?? fromMentions[kind as Kind](mentions);
  if (chosen === undefined) {
    const fitting = [...new Set(readings.map((each) => each.kind))].join(', ');
    throw new KernelError('invalid-argument', `the question cannot be read as ${kind}`, {
      hint: `It fits ${fitting}; a ${kind} has to name what it is about.`,
    });
  }
  return { ...intent, readings: [chosen, ...readings.filter((each) => each !== chosen)] };
}

/** They fit nearly every question, or what a person asks again if it was meant. */
const loose: ReadonlySet<Kind> = new Set(['how', 'where', 'guide', 'listing', 'file', 'size']);

/** Kinds that a question fits beside the one that was taken, without those that fit every question. */
export function otherKinds({ readings }: AskIntent): Kind[] {
  const [first, ...others] = readings;
  if (loose.has(first.kind)) return [];
  // A document, and no manifest, may say how a thing is built or run.
  const isTask = first.kind === 'manifest' && first.about === 'scripts' && first.name !== undefined;
  const kinds = others.map(({ kind }) => kind);
  return [...new Set(kinds)].filter(
    (kind) => kind !== first.kind && (!loose.has(kind) || (isTask && kind === 'guide')),
  );
}

function ofName({ names, words }: Mentions, make: (name: string) => Reading): Reading | undefined {
  const name = names[0] ?? (words.length === 1 ? words[0] : undefined);
  return name === undefined ? undefined : make(name);
}

function ofPath({ paths: [path] }: Mentions, make: (path: string) => Reading): Reading | undefined {
  return path === undefined ? undefined : make(path);
}
