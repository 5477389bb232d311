import type { SessionEntry } from '../contracts/output/parse-session.ts';
import type { SessionRow } from '../contracts/store.ts';

export function sessionMarkdown(session: SessionRow, entries: readonly SessionEntry[]): string {
  const title = session.title.replace(/\s+/g, ' ').trim();
  const parts = [
    `# ${title === '' ? 'Session' : title}`,
    `Session ${session.id} of cuervo in \`${session.project}\`, ${dayOf(session.createdMs)}.`,
    ...entries.map(entryText),
  ];
  return `${parts.join('\n\n')}\n`;
}

function entryText({
  number,
  role,
  text,
  calls = [],
  source,
  isError,
  stop,
}: SessionEntry): string {
  if (role === 'user') return `## ${number}. Question\n\n${text}`;
  if (role === 'tool') {
    const what = isError === true ? 'failed' : 'brought';
    return `### ${number}. ${source ?? 'a tool'} ${what}\n\n${fenced(text, '')}`;
  }
  if (stop !== undefined) return `### ${number}. No answer\n\nIt ended: ${stop}.`;
  const made = calls.map(
    ({ tool, input }) =>
      `Calls \`${tool}\`:\n\n${fenced(JSON.stringify(input, undefined, 2), 'json')}`,
  );
  const heading = calls.length === 0 ? `## ${number}. Answer` : `### ${number}. Step`;
  return [heading, ...(text.trim() === '' ? [] : [text.trim()]), ...made].join('\n\n');
}

/** In a fence that the text cannot close. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((marks) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
