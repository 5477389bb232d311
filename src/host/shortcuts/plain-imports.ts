import {
  type AnyNode,
  type CallExpression,
  type FunctionExpression,
  parse,
  type Statement,
} from 'acorn';
import { applyEdits, type Edit } from './apply-edits.ts';
import { childNodes } from './child-nodes.ts';
import { isNamed, runWithBooks } from './run-with-books.ts';

/** Names under which the transpiler keeps books on tasks of a call. */
const books: ReadonlySet<string> = new Set([
  ...['parentTask', 'task', 'subtask', 'createTask', 'started', 'hostProvided'],
]);

/**
 * Host calls without the books on tasks that the transpiler keeps for asynchronous ones: two tasks,
 * a subtask and a dozen closures for each call, which take longer than most calls themselves. Only
 * functions of `cuervo:host/` are changed, none of which is asynchronous or takes a resource, and
 * only those that look exactly as they are known to; any other stays as it is.
 *
 * @param source glue as the transpiler makes it
 * @throws {SyntaxError} for what is not a module
 */
export function plainImports(source: string): string {
  const body = trampolines(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }));
  const edits: Edit[] = [];
  const functions = new Map<string, FunctionExpression>();
  const named = new Set<string>();
  for (const statement of body) {
    const declared = declaration(statement);
    if (declared?.init?.type === 'FunctionExpression') functions.set(declared.name, declared.init);
    const set = /^(_trampoline\d+)\.fnName = 'cuervo:host\//.exec(textOf(statement, source));
    if (set?.[1] !== undefined) named.add(set[1]);
  }
  for (const statement of body) {
    const declared = declaration(statement);
    if (declared?.init == null || !/^trampoline\d+$/.test(declared.name)) continue;
    const name = `_${declared.name}`;
    const made = functions.get(name);
    const index = loweredIndex(declared.init, source);
    if (made === undefined || index === undefined || !named.has(name)) continue;
    const changes = withoutBooks(made, source);
    if (changes === undefined) continue;
    const params = made.params.map((param) => textOf(param, source)).join(', ');
    const call = `(${params}) => { _checkMayLeave(${index}); return ${name}(${params}); }`;
    edits.push(...changes, replaced(declared.init, call, source));
  }
  return applyEdits(source, edits);
}

/** The statements that declare the lowered imports; empty when there are none. */
function trampolines(node: AnyNode): readonly Statement[] {
  if (node.type === 'BlockStatement') {
    const names = node.body.map((statement) => declaration(statement)?.name ?? '');
    if (names.some((name) => /^trampoline\d+$/.test(name))) return node.body;
  }
  for (const child of childNodes(node)) {
    const found = trampolines(child);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The number of the component that a lowered import belongs to; undefined for one that is
 * asynchronous, or hands its result to its caller and not to memory.
 */
function loweredIndex(init: AnyNode, source: string): string | undefined {
  if (init.type !== 'ConditionalExpression') return undefined;
  const text = textOf(init.alternate, source);
  if (!text.startsWith('_lowerImportBackwardsCompat.bind(')) return undefined;
  const isPlain = /\bisAsync: false,/.test(text) && /\bfuncTypeIsAsync: false,/.test(text);
  const isInMemory =
    /\bhasResultPointer: true,/.test(text) || /\bresultLowerFns: \[\s*\]/.test(text);
  return isPlain && isInMemory ? /\bcomponentIdx: (\d+),/.exec(text)?.[1] : undefined;
}

/** The parts to remove from a function; undefined where anything unknown would be left. */
function withoutBooks(made: FunctionExpression, source: string): Edit[] | undefined {
  const edits: Edit[] = [];
  let calls = 0;
  let left = 0;
  const visit = (node: AnyNode): void => {
    const inner = node.type === 'CallExpression' ? hostCall(node) : undefined;
    if (inner !== undefined) {
      calls += 1;
      edits.push(replaced(node, textOf(inner, source), source));
      for (const argument of inner.arguments) visit(argument);
    } else if (isBookkeeping(node)) {
      edits.push(replaced(node, '', source));
    } else {
      if (node.type === 'Identifier' && books.has(node.name)) left += 1;
      for (const child of childNodes(node)) visit(child);
    }
  };
  visit(made.body);
  return calls === 1 && left === 0 ? edits : undefined;
}

/** A statement that only keeps books, or tells a log that is off. */
function isBookkeeping(node: AnyNode): boolean {
  if (node.type === 'VariableDeclaration') {
    return node.declarations.every(({ id }) => id.type === 'Identifier' && books.has(id.name));
  }
  if (node.type === 'LabeledStatement') return node.label.name === 'taskCreation';
  if (node.type !== 'ExpressionStatement' || node.expression.type !== 'CallExpression')
    return false;
  const { callee } = node.expression;
  if (callee.type === 'Identifier') return callee.name === '_debugLog';
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'task'
  );
}

/** `f(…)` of `_withGlobalCurrentTaskMeta({ …, fn: () => _trackHostOperation(() => f(…)) })`. */
function hostCall(node: CallExpression): CallExpression | undefined {
  const tracked = runWithBooks(node);
  if (tracked?.type !== 'CallExpression' || !isNamed(tracked.callee, '_trackHostOperation')) {
    return undefined;
  }
  const [operation] = tracked.arguments;
  return operation === undefined ? undefined : calledBy(operation);
}

function calledBy(node: AnyNode): CallExpression | undefined {
  const isCall = node.type === 'ArrowFunctionExpression' && node.body.type === 'CallExpression';
  return isCall ? (node.body as CallExpression) : undefined;
}

function declaration(statement: Statement) {
  if (statement.type !== 'VariableDeclaration' || statement.declarations.length !== 1) {
    return undefined;
  }
  const [{ id, init }] = statement.declarations as [(typeof statement.declarations)[number]];
  return id.type === 'Identifier' ? { name: id.name, init } : undefined;
}

function textOf({ start, end }: AnyNode, source: string): string {
  return source.slice(start, end);
}

/** Keeps the number of line ends, so that lines stay in place. */
function replaced({ start, end }: AnyNode, text: string, source: string): Edit {
  const lines = source.slice(start, end).split('\n').length - text.split('\n').length;
  return { start, end, text: text + '\n'.repeat(Math.max(0, lines)) };
}
