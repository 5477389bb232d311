import * as v from 'valibot';
import type { Confine } from '../../contracts/confined-program.ts';
import { KernelError } from '../../contracts/error.ts';
import type { DocumentKind } from '../../contracts/not-read.ts';
import type { DocumentText } from '../../documents/document-lines.ts';
import { maxPages, maxTextCharacters, type ReadPages } from '../../documents/document-text.ts';
import { runChild } from '../../host/install/transpile/run-child.ts';

export type DocumentPorts = {
  confine: Confine;
  /** built bundle of `src/documents/child.ts` */
  bundle: string;
  /** The folder of its packages. @throws {KernelError} `unavailable`, naming `cuervo add documents` */
  packages(): string;
};

const defaultTimeoutMs = 20_000;
const flags = [
  ...['--max-old-space-size=768', '--no-warnings', '--stack-size=900'],
  '--disallow-code-generation-from-strings',
];

/**
 * The text of a PDF or a Word file, read in a process of its own that has no permissions.
 *
 * @param shown names the document in messages
 * @throws {KernelError} `tool-failed` where it has no text that can be read, `deadline-exceeded`,
 *   `unavailable` where the part "documents" is missing
 */
export async function readDocument(
  bytes: Uint8Array,
  kind: DocumentKind,
  options: { shown: string; signal: AbortSignal; ports: DocumentPorts; timeoutMs?: number },
): Promise<DocumentText> {
  const { shown, signal, ports, timeoutMs = defaultTimeoutMs } = options;
  const { confine, bundle } = ports;
  const packages = [ports.packages()];
  const output = await runChild(bytes, {
    ...{ bundle, confine, packages, flags, timeoutMs, signal },
    ...{ args: [kind], doing: `reading ${shown}`, failed: `${shown} was not read` },
  }).catch((thrown: unknown) => {
    const error = KernelError.from(thrown, 'tool-failed');
    if (error.code === 'plugin-fault')
      throw new KernelError('tool-failed', error.message, { cause: error });
    if (error.code !== 'deadline-exceeded') throw error;
    const message = `${shown} was not read within ${timeoutMs} ms`;
    throw new KernelError('deadline-exceeded', message, { cause: error });
  });
  const pages = parsePages(output.toString('utf8'));
  if (pages === undefined) throw unread(shown, 'its reader gave an invalid answer');
  if ('fault' in pages) throw unread(shown, pages.fault);
  const text = toLines(pages, kind === 'pdf');
  if (text.lines.every((line) => line.trim() === ''))
    throw unread(shown, 'it holds no text; its pages may be pictures');
  return text;
}

function unread(shown: string, why: string): KernelError {
  return new KernelError('tool-failed', `${shown} was not read: ${why}`);
}

function toLines(
  { pages, isCut = false }: Exclude<ReadPages, { fault: string }>,
  isPaged: boolean,
): DocumentText {
  const lines: string[] = [];
  const starts: number[] = [];
  let left = maxTextCharacters;
  for (const page of pages) {
    starts.push(lines.length + 1);
    // A NUL or another line end would shift what is counted by lines.
    const text = page
      .slice(0, left)
      .replace(/\r\n?|[\f\v\u2028\u2029]/g, '\n')
      .replaceAll('\0', '');
    left -= text.length;
    lines.push(...splitPage(text));
  }
  const isKnown = isPaged || pages.length > 1;
  return { lines, pages: isKnown ? starts : undefined, isCut: isCut || left <= 0 };
}

/** The lines of a page, and one blank line behind them. */
function* splitPage(text: string): Generator<string> {
  const lines = text.trimEnd().split('\n');
  for (const line of lines) yield line.trimEnd();
  yield '';
}

const readPages = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.object({ fault: v.pipe(v.string(), v.maxLength(300)) }),
    v.object({
      pages: v.pipe(v.array(v.string()), v.maxLength(maxPages + 1)),
      isCut: v.exactOptional(v.boolean()),
    }),
  ]),
);

/**
 * What the process that reads a document says of it. It read what a stranger made, so this is
 * checked as a stranger's.
 *
 * @returns undefined for anything else
 */
function parsePages(json: string): ReadPages | undefined {
  const { success, output } = v.safeParse(readPages, json, { abortEarly: true });
  return success ? output : undefined;
}
