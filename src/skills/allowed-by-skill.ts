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
