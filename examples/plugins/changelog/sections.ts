export type Entry = { hash: string; subject: string };

const conventional = /^(\w+)(?:\(([^)]*)\))?(!)?:\s*(.+)$/;
const titles: Readonly<Record<string, string>> = { feat: 'Added', fix: 'Fixed', perf: 'Faster' };
const order = ['Breaking', 'Added', 'Fixed', 'Faster', 'Changed'];

/** Output of `git log --format=%H%x1f%s%x1e`. */
export function parseLog(text: string): Entry[] {
  return text
    .split('\x1e')
    .map((record) => record.trim().split('\x1f'))
    .flatMap(([hash = '', subject = '']) => (hash === '' ? [] : [{ hash, subject }]));
}

/** Commits under headings, by the words before their colon where there are some. */
export function sections(entries: readonly Entry[]): string {
  const groups = Map.groupBy(entries, ({ subject }) => {
    const [, kind = '', , breaking] = conventional.exec(subject) ?? [];
    return breaking === '!' ? 'Breaking' : (titles[kind.toLowerCase()] ?? 'Changed');
  });
  return order
    .filter((title) => groups.has(title))
    .map((title) => `### ${title}\n\n${(groups.get(title) ?? []).map(lineOf).join('')}`)
    .join('\n');
}

function lineOf({ hash, subject }: Entry): string {
  const [, , scope, , text = subject] = conventional.exec(subject) ?? [];
  const where = scope === undefined ? '' : `**${scope}:** `;
  return `- ${where}${text} (${hash.slice(0, 7)})\n`;
}
