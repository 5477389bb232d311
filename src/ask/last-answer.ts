import type { AskIntent } from '../contracts/intent.ts';
import type { LastAnswer } from '../contracts/questions.ts';
import type { Store } from '../contracts/store.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { definedNames } from './defined-names.ts';

/** Places of an answer that a person can count. */
const maxPlaces = 12;

/** Lines of a file, or one line of a list. */
type Shown = LastAnswer['places'][number] & { text?: string };
type Settings = Pick<Store, 'getSetting' | 'setSetting'>;

/** Keeps what an answer was about, for `-c`; one row a workspace. */
export function keepLastAnswer(
  store: Settings,
  place: { workspace: string; session: string },
  intent: AskIntent,
  shown: readonly Shown[],
): void {
  const last = lastAnswerOf(intent, shown);
  store.setSetting(keyOf(place.workspace), {
    session: place.session,
    ...last,
  } as unknown as JsonObject);
}

/**
 * @param id of a session; default the newest
 * @returns undefined where the session that is gone on with was not the last that answered
 */
export function lastAnswer(
  store: Settings & Pick<Store, 'latestSession'>,
  workspace: string,
  id: string | undefined,
): LastAnswer | undefined {
  const session = id ?? store.latestSession(workspace)?.id;
  const kept = store.getSetting(keyOf(workspace));
  if (kept === undefined || session === undefined || kept.session !== session) return undefined;
  return kept as unknown as LastAnswer;
}

function lastAnswerOf(
  { question, readings, mentions }: AskIntent,
  evidence: readonly Shown[],
): LastAnswer {
  const [reading] = readings;
  const { name: ofName } = reading;
  // `which tests cover run.ts?` asks for tests of its name, and is about the file.
  const file = mentions.paths.find((each) => ofName !== undefined && stemOf(each) === ofName);
  const name = file === undefined ? ofName : undefined;
  const path = file ?? reading.path;
  const isOne = evidence.length === 1 && evidence[0]?.commit === undefined;
  // In a list of several files no single one was meant.
  const first = evidence.find(({ line }) => line !== undefined || isOne);
  const isOfFile = path !== undefined && name === undefined;
  const shown = first === undefined || isOfFile ? [] : definedNames(first.text ?? '', 1);
  const { names } = mentions;
  return {
    ...{ kind: reading.kind, question },
    ...(isOfFile ? {} : optional('name', name ?? names[0] ?? shown[0])),
    ...optional(
      'path',
      isOfFile ? (evidence.find((each) => each.path.endsWith(path))?.path ?? path) : first?.path,
    ),
    places: evidence.slice(0, maxPlaces).map(({ path, line, commit }) => ({
      path,
      ...(line === undefined ? {} : { line }),
      ...optional('commit', commit),
    })),
  };
}

function stemOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.\w+$/, '');
}

function optional<Key extends string>(key: Key, value: string | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { [Each in Key]?: string };
}

function keyOf(workspace: string): string {
  return `last-answer:${workspace}`;
}
