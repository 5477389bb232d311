/** Kinds of arguments; completion scripts ask for values by these names. */
export const argumentKinds: Readonly<Record<string, 'tools' | 'runs' | 'plugins' | 'sessions'>> = {
  run: 'tools',
  tools: 'tools',
  undo: 'runs',
  apply: 'runs',
  'runs diff': 'runs',
  'runs guard': 'runs',
  'runs output': 'runs',
  'session show': 'sessions',
  'plugin grants': 'plugins',
  'plugin grant': 'plugins',
  'plugin revoke': 'plugins',
  'plugin remove': 'plugins',
};

const maxWords = 200;
/** Words that need no quotes in a shell. Other names are not offered. */
const plain = /^[\w.@:-]+$/;

/** For completion scripts alone: the words that an argument may be, one a line, and no error. */
export async function printWords(kind: string): Promise<void> {
  const words = await wordsOf(kind).catch(() => []);
  for (const word of words.filter((each) => plain.test(each))) process.stdout.write(`${word}\n`);
}

async function wordsOf(kind: string): Promise<string[]> {
  const { openKernel } = await import('../kernel.ts');
  await using kernel = await openKernel();
  if (kind === 'tools') return (await kernel.tools()).map(({ name }) => name);
  if (kind === 'plugins') return [...new Set((await kernel.tools()).map(({ plugin }) => plugin))];
  if (kind === 'runs') return (await kernel.undo.allRuns(maxWords)).map(({ run }) => run);
  if (kind !== 'sessions') return [];
  const store = await kernel.store();
  return store.sessions({ project: kernel.config.workspace, limit: maxWords }).map(({ id }) => id);
}
