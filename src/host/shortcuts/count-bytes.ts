import { type AnyNode, parse } from 'acorn';
import { applyEdits, type Edit } from './apply-edits.ts';
import { childNodes } from './child-nodes.ts';

/**
 * Glue that asks the engine how many bytes a text takes, where the transpiler's counts its
 * characters one by one: in a function that each instance has anew, so that it never becomes fast
 * code, that is a tenth of a short call.
 *
 * Code of another form stays as it is.
 *
 * @param module glue as the transpiler makes it, or trimmed
 * @throws {SyntaxError} for what is not a module
 */
export function countBytes(module: string): string {
  const edits: Edit[] = [];
  const visit = (node: AnyNode): void => {
    const { start, end } = node;
    if (node.type === 'FunctionDeclaration' && plain(module.slice(start, end)) === slow)
      edits.push({ start, end, text: fast });
    else for (const child of childNodes(node)) visit(child);
  };
  // Code points are counted for who reads them alone.
  if (module.split('codepoints').length - 1 === timesNamed)
    visit(parse(module, { ecmaVersion: 'latest', sourceType: 'module' }));
  return applyEdits(module, edits);
}

/** Without comments, line ends and indentation. */
function plain(text: string): string {
  return text
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Once in the declaration, once in the count and once in the result. */
const timesNamed = 3;

const slow = plain(`function _utf8AllocateAndEncode(s, realloc, memory) {
  if (typeof s !== 'string') {
    throw new TypeError('expected a string, received [' + typeof s + ']');
  }
  if (s.length === 0) { return { ptr: 1, len: 0 }; }
  let len = 0;
  let codepoints = 0;
  for (let i = 0; i < s.length; i++) {
    const ch = s.charCodeAt(i);
    codepoints++;
    if (ch < 0x80) { len += 1; }
    else if (ch < 0x800) { len += 2; }
    else if (ch >= 0xd800 && ch <= 0xdbff &&
    i + 1 < s.length &&
    (s.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      len += 4;
      i++;
    } else { len += 3; }
  }
  const ptr = realloc(0, 0, 1, len);
  const { read, written } = TEXT_ENCODER_UTF8.encodeInto(
  s,
  new Uint8Array(memory.buffer, ptr, len),
  );
  if (read !== s.length || written !== len) {
    throw new Error('failed to encode whole string');
  }
  const res = { ptr, len, codepoints };
  return res;
}`);

/** A lone surrogate counts three bytes on both sides. */
const fast = `function _utf8AllocateAndEncode(s, realloc, memory) {
  if (typeof s !== 'string') {
    throw new TypeError('expected a string, received [' + typeof s + ']');
  }
  if (s.length === 0) { return { ptr: 1, len: 0 }; }
  const len = Buffer.byteLength(s);
  const ptr = realloc(0, 0, 1, len);
  const { read, written } = TEXT_ENCODER_UTF8.encodeInto(
  s,
  new Uint8Array(memory.buffer, ptr, len),
  );
  if (read !== s.length || written !== len) {
    throw new Error('failed to encode whole string');
  }
  return { ptr, len };
}`;
