import * as v from 'valibot';
import { counted, sizeText } from '../../lib/text/amounts.ts';
import { escapeLine } from '../../lib/text/escape.ts';

const amount = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What `search.map` gives and `cuervo map --json` prints. */
export const workspaceMapSchema = v.object({
  files: v.pipe(amount, v.description('of code, in all parts')),
  bytes: amount,
  parts: v.array(
    v.object({
      path: v.pipe(
        v.string(),
        v.description(
          'a folder; `.` for files at the top. What a part inside of it holds is not counted',
        ),
      ),
      files: amount,
      bytes: amount,
      uses: v.array(
        v.object({
          path: v.string(),
          imports: v.pipe(amount, v.description('lines that import it, without those of tests')),
        }),
      ),
      usedBy: v.pipe(amount, v.description('parts that import it')),
    }),
  ),
  entries: v.array(
    v.object({
      path: v.pipe(v.string(), v.description('where a program or library begins')),
      why: v.string(),
    }),
  ),
  cut: v.exactOptional(v.pipe(v.string(), v.description('what was left out'))),
});
export type WorkspaceMap = v.InferOutput<typeof workspaceMapSchema>;

/** @returns undefined for what is no map: the plugin of that name may be another one */
export function parseMap(content: string): WorkspaceMap | undefined {
  try {
    const parsed = v.safeParse(workspaceMapSchema, JSON.parse(content), { abortEarly: true });
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined; // no JSON
  }
}

/** Parts that a line names of those which its part uses. */
const namedUses = 4;

/**
 * A map of a workspace as lines: its parts with what they use, then where it begins. Names of files
 * are escaped.
 *
 * @param maxCharacters the smallest parts are left out, and counted, until it is that short
 */
export function mapText(
  { files, bytes, parts, entries, cut }: WorkspaceMap,
  maxCharacters = Number.POSITIVE_INFINITY,
): string {
  const head = `${counted(files, 'file')} of code, ${sizeText(bytes)}, in ${counted(parts.length, 'part')}`;
  const width = Math.max(0, ...parts.map(({ path }) => escapeLine(path).length));
  const lines = parts.map((part) => ({
    path: part.path,
    bytes: part.bytes,
    line: partLine(part, width),
  }));
  const begins = entries.map(({ path, why }) => `${escapeLine(path)}  (${escapeLine(why)})`);
  const render = (shown: readonly { line: string }[]): string => {
    const left = parts.length - shown.length;
    return [
      head,
      ...shown.map(({ line }) => line),
      ...(left > 0 ? [`and ${counted(left, 'smaller part')}`] : []),
      ...(begins.length > 0 ? ['begins at', ...begins.map((line) => `  ${line}`)] : []),
      ...(cut === undefined ? [] : [escapeLine(cut)]),
    ].join('\n');
  };
  let shown = lines;
  let text = render(shown);
  while (text.length > maxCharacters && shown.length > 0) {
    const smallest = shown.reduce((one, other) => (other.bytes < one.bytes ? other : one));
    shown = shown.filter((each) => each !== smallest);
    text = render(shown);
  }
  return text.slice(0, maxCharacters);
}

function partLine(part: WorkspaceMap['parts'][number], width: number): string {
  const { path, files, bytes, uses, usedBy } = part;
  const named = uses.slice(0, namedUses).map((each) => escapeLine(each.path));
  const more = uses.length - named.length;
  const said =
    named.length === 0 ? [] : [`uses ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
  const by = usedBy === 0 ? [] : [`used by ${usedBy}`];
  const size = `${String(files).padStart(6)} ${files === 1 ? 'file ' : 'files'}  ${sizeText(bytes).padStart(8)}`;
  return `  ${escapeLine(path).padEnd(width)}${size}  ${[...said, ...by].join('; ')}`.trimEnd();
}
