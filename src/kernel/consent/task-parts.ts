import type { TaskPart } from '../../consent/tasks.ts';
import type { Mentions } from '../../contracts/intent.ts';
import type { Tool } from '../../contracts/tool.ts';
import { quoteText } from '../../lib/text/escape.ts';
import { type RehearsalPorts, rehearse } from './foresee-needs.ts';

/** Tools that delete, which a person does not expect of a task that changes files. */
const notForeseen: ReadonlySet<string> = new Set(['file.delete']);

/**
 * The needs of a task that can be foreseen from a person's words: changes of files, the command
 * that runs the tests, a commit. Anything else is asked about when it comes.
 *
 * @param tools those of built-in plugins
 */
export async function taskParts(
  { text, wantsChange, wantsCommit }: Pick<Mentions, 'text' | 'wantsChange' | 'wantsCommit'>,
  tools: readonly Tool[],
  ports: RehearsalPorts,
): Promise<TaskPart[]> {
  const named = (...names: string[]) => tools.filter(({ name }) => names.includes(name));
  const parts: TaskPart[] = [];
  const add = (says: string, of: readonly Tool[], part: Pick<TaskPart, 'grant' | 'effect'>) => {
    const [first] = of;
    if (first === undefined) return;
    const { plugin, digest } = first;
    parts.push({ says, plugin, digest, tools: of.map(({ name }) => name), ...part });
  };
  if (wantsChange) {
    const writing = tools.filter(
      ({ plugin, effect, name }) =>
        plugin === 'file' && effect === 'write' && !notForeseen.has(name),
    );
    const grant = { capability: 'fs-write', detail: 'work' } as const;
    add('change files of this folder', writing, { grant });
  }
  if (wantsChange || /\btests?\b/i.test(text)) {
    const [runner] = named('shell.run-tests');
    const step = { id: 'tests', tool: 'shell.run-tests', input: {}, needs: [] };
    const need =
      runner === undefined ? undefined : await rehearse({ ...step, effect: 'external' }, ports);
    if (runner !== undefined && need?.effect.capability === 'exec') {
      const { program, args } = need.effect;
      const line = [program, ...args].map((word) => quoteText(word)).join(' ');
      add(`run ${line}`, [runner], { grant: need.grant, effect: need.effect });
    }
  }
  if (wantsCommit) {
    const grant = { capability: 'exec', detail: 'git' } as const;
    add('stage and commit with git', named('git.stage', 'git.commit'), { grant });
  }
  return parts;
}
