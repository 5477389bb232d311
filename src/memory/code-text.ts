import { plainCode } from './static/plain-code.ts';

const definition =
  /\b(?:function|class|interface|type|const|let|var|def|fn|func|enum|struct|trait|impl|module|namespace)\s+([A-Za-z_$][\w$]*)/g;
const method =
  /^\s+(?:(?:public|private|protected|static|async|get|set|readonly|override)\s+)*([a-zA-Z_$][\w$]*)\s*\([^)]*\)\s*[:{]/gm;
const comment = /\/\*\*?[\s\S]*?\*\/|\/\/.*|^\s*#.*$/gm;

/**
 * The text of a code vector: its path, the names that it defines and its leading comments, so that
 * an embedder that sees only the beginning sees the subject; then all of it as words.
 */
export function codeText(text: string, source: string): string {
  const path = plainCode(source.replace(/\.\w+$/, ''));
  const names = [...text.matchAll(definition), ...text.matchAll(method)].map(([, name]) => name);
  const comments = text.match(comment) ?? [];
  return [path, plainCode(names.join(' ')), plainCode(comments.join(' ')), plainCode(text)]
    .filter((part) => part !== '')
    .join(' ');
}
