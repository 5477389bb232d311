import { type CodeFamily, codeFamily } from './code-family.ts';
import { maskCode } from './mask-code.ts';

/** A source file with what of it is code. */
export type CodeFile = {
  path: string;
  family: CodeFamily;
  lines: readonly string[];
  /** the same lines, comments and texts blanked */
  code: readonly string[];
};

/** Undefined for a file of no language that is known here. */
export function codeFile(path: string, text: string): CodeFile | undefined {
  const family = codeFamily(path);
  if (family === undefined) return undefined;
  const plain = text.replaceAll('\r\n', '\n');
  return { path, family, lines: plain.split('\n'), code: maskCode(plain, family).split('\n') };
}
