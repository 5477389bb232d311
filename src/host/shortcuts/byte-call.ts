import { type AnyNode, type FunctionDeclaration, type ObjectExpression, parse } from 'acorn';
import { applyEdits } from './apply-edits.ts';
import { childNodes } from './child-nodes.ts';

/**
 * Glue whose `call` of `cuervo:plugin/tools` has a sibling: `callBytes(tool, input, take)` is given
 * both texts as the bytes in which they came, and hands the bytes of the content and of the summary
 * to `take`, which copies them. Of a short call whose code has gone cold a tenth is to make texts of
 * bytes and bytes of texts.
 *
 * Glue of an unknown form stays as it is, without the sibling.
 *
 * @param module glue as the transpiler makes it, changed or not
 * @throws {SyntaxError} for what is not a module
 */
export function byteCall(module: string): string {
  const calls: FunctionDeclaration[] = [];
  const tools: ObjectExpression[] = [];
  const visit = (node: AnyNode): void => {
    if (node.type === 'FunctionDeclaration' && node.id?.name === 'call') {
      calls.push(node as FunctionDeclaration);
    }
    if (node.type === 'ObjectExpression' && isTools(node)) tools.push(node);
    for (const child of childNodes(node)) visit(child);
  };
  visit(parse(module, { ecmaVersion: 'latest', sourceType: 'module' }));
  const [call, ...otherCalls] = calls;
  const [exported, ...otherTools] = tools;
  if (call === undefined || exported === undefined) return module;
  if (otherCalls.length > 0 || otherTools.length > 0) return module;
  const sibling = siblingOf(module.slice(call.start, call.end));
  if (sibling === undefined) return module;
  return applyEdits(module, [
    { start: call.end, end: call.end, text: `\n${copyIn}\n${sibling}` },
    { start: exported.start + 1, end: exported.start + 1, text: ' callBytes: callBytes,' },
  ]);
}

/** `{ call: call, describe: describe }` */
function isTools({ properties }: ObjectExpression): boolean {
  const names = properties.map((property) =>
    property.type === 'Property' &&
    property.key.type === 'Identifier' &&
    property.value.type === 'Identifier' &&
    property.key.name === property.value.name
      ? property.key.name
      : '',
  );
  return names.length === 2 && names.includes('call') && names.includes('describe');
}

const copyIn = `function _copyIn(bytes, realloc, memory) {
  const len = bytes.length;
  if (len === 0) return { ptr: 1, len };
  const ptr = realloc(0, 0, 1, len);
  new Uint8Array(memory.buffer, ptr, len).set(bytes);
  return { ptr, len };
}`;

/** The two arguments, and both fields of the result. */
const textsEachWay = 2;

function siblingOf(call: string): string | undefined {
  const encode = /\b_utf8AllocateAndEncode\((?=arg[01], realloc\d+, memory\d+\))/g;
  const firstView = /switch \((dataView\(memory\d+\))/;
  const decode = /\bTEXT_DECODER_UTF8\.decode\(/g;
  // The first case of the first switch is that of a result that is not an error.
  const end = call.indexOf('case 1: {');
  const ok = call.slice(0, end);
  const isKnown =
    end >= 0 &&
    /^function call\(arg0, arg1\) \{/.test(call) &&
    ok.match(encode)?.length === textsEachWay &&
    ok.match(decode)?.length === textsEachWay &&
    firstView.test(ok) &&
    /\bcontent: result\d+,\s+summary: result\d+,/.test(ok);
  if (!isKnown) return undefined;
  return (
    ok
      .replace('function call(arg0, arg1)', 'function callBytes(arg0, arg1, take)')
      .replace(encode, '_copyIn(')
      .replace(decode, 'take(')
      // One view is enough: the memory does not grow after the call.
      .replace(firstView, 'const view = $1;\nswitch (view')
      .replace(/\bdataView\(memory\d+\)\.getUint32/g, 'view.getUint32') + call.slice(end)
  );
}
