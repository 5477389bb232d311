import { type CodeFamily, codeFamily } from './code-family.ts';
import { maskCode } from './mask-code.ts';

/** A source file with what of it is code. */
export type CodeFile = {
  path: string;
  family: CodeFamily;
  lines: readonly string[];
  /** the same lines, comments and texts blanked; made when it is first asked for */
  readonly code: readonly string[];
  /**
   * One line of `code`, for which the file is read as far as this line and a little on.
   *
   * @param line 1-based
   */
  codeLine(line: number): string | undefined;
};

/** Undefined for a file of no language that is known here. */
export function codeFile(path: string, text: string): CodeFile | undefined {
  const family = codeFamily(path);
  if (family === undefined) return undefined;
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  let code: readonly string[] = [];
  /** Masks the text up to a line; later text cannot change it. */
  const readTo = (line: number): void => {
    if (code.length >= Math.min(line, lines.length)) return;
    // Twice as far as before, so that lines in their order cost one reading.
    const end = Math.min(lines.length, Math.max(line, code.length * 2));
    const part = lines.slice(0, end).join('\n');
    code = maskCode(end < lines.length ? `${part}\n` : part, family)
      .split('\n')
      .slice(0, end);
  };
  return {
    path,
    family,
    lines,
    get code() {
      readTo(lines.length);
      return code;
    },
    codeLine: (line) => {
      readTo(line);
      return code[line - 1];
    },
  };
}
