import type { Say } from '../contracts/agent.ts';
import { KernelError } from '../contracts/error.ts';
import type { Store } from '../contracts/store.ts';
import { shortenText } from '../lib/text/columns.ts';
import { escapeTerminal } from '../lib/text/escape.ts';
import type { FoundSkill } from './find-skills.ts';

/** Lines that a person sees before they answer. */
const shownLines = 12;

/**
 * Asks a person once for each version of a project's skill whether a model may follow it. Whatever
 * the answer is, it grants nothing.
 *
 * @throws {KernelError} `permission-denied` without a yes
 */
export async function agreeToSkill(
  { name, source, folder, read }: FoundSkill & Required<Pick<FoundSkill, 'read'>>,
  ports: {
    store: Pick<Store, 'getSetting' | 'setSetting'>;
    askYesNo: Say['askYesNo'];
    signal: AbortSignal;
  },
): Promise<void> {
  if (source !== 'project') return;
  const { store, askYesNo, signal } = ports;
  if (isAgreed({ folder, read }, store)) return;
  const { digest, text, files } = read.folder;
  const lines = text.trimEnd().split('\n');
  const shown = lines
    .slice(0, shownLines)
    .map((line) => `  ${shortenText(escapeTerminal(line), 160)}`);
  const more = lines.length > shownLines ? `\n  … ${lines.length - shownLines} more lines` : '';
  const beside = files.length > 1 ? ` and ${files.length - 1} files beside it` : '';
  const agreed = await askYesNo?.(
    `The skill ${name} of this project tells a model what to do:\n${shown.join('\n')}${more}\nLet the model follow SKILL.md${beside}? It can allow nothing.`,
    { signal },
  );
  if (agreed === true) {
    store.setSetting(keyOf(folder), { digest });
    return;
  }
  const why = agreed === false ? 'you said no' : 'nobody agreed to it';
  throw new KernelError('permission-denied', `the skill ${name} of this project: ${why}`, {
    hint: `Read it with: cuervo skill show ${name}. Then use it at a terminal: cuervo do ${name}`,
  });
}

/** Whether a person said yes to this version of a skill. */
export function isAgreed(
  { folder, read }: Required<Pick<FoundSkill, 'read' | 'folder'>>,
  store: Pick<Store, 'getSetting'>,
): boolean {
  const kept = store.getSetting(keyOf(folder)) as { digest?: string } | undefined;
  return kept?.digest === read.folder.digest;
}

function keyOf(folder: string): string {
  return `project-skill:${folder}`;
}

/** Names by which skills that were written for other agents call tools. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  Read: ['file.read', 'file.list', 'file.tree', 'file.stat', 'file.find', 'file.cells'],
  Grep: ['search'],
  Glob: ['search.files', 'file.find', 'file.list'],
  LS: ['file.list', 'file.tree'],
  Edit: ['file.edit', 'file.edit-lines', 'file.insert', 'file.multi-edit', 'file.edit-cell'],
  Write: ['file.write'],
  Bash: ['shell.run', 'shell.run-tests', 'shell.output'],
  WebFetch: ['web.fetch'],
};

/**
 * The tools that a skill leaves, of those that there are. It adds none, and grants nothing: what is
 * left is asked about as ever.
 *
 * @param allowed undefined where the skill does not say
 */
export function allowedBySkill<Tool extends { name: string; plugin: string }>(
  tools: readonly Tool[],
  allowed: readonly string[] | undefined,
): Tool[] {
  if (allowed === undefined) return [...tools];
  const names = new Set(allowed.flatMap(namesOf));
  return tools.filter(({ name, plugin }) => names.has(name) || names.has(plugin));
}

function namesOf(written: string): readonly string[] {
  const [, word = '', inside] = /^([^(]+)(?:\((.*)\))?$/.exec(written) ?? [];
  if (word === 'Bash' && inside !== undefined && /^git\b/.test(inside)) return ['git'];
  return Object.hasOwn(otherNames, word) ? (otherNames[word] ?? []) : [word];
}
