import { type AnyNode, type FunctionDeclaration, parse, type VariableDeclaration } from 'acorn';
import { applyEdits, type Edit } from './apply-edits.ts';
import { childNodes } from './child-nodes.ts';
import { isNamed, runWithBooks } from './run-with-books.ts';
import { trimGlue } from './trim-glue.ts';

/** Names under which the transpiler keeps books on the task of a call. */
const books: ReadonlySet<string> = new Set(['task', '_wasm_call_currentTaskID', 'started']);
/** The functions that keep the books; where one of these is left, somebody reads them. */
const bookkeepers = ['createNewCurrentTask', 'getCurrentTask', '_withGlobalCurrentTaskMeta'];

/**
 * Trimmed glue whose exports keep no books on tasks, where nothing reads them: a task, its promise
 * and its closures take longer to make than a short call takes. A component that resumes, borrows
 * or calls another one reads them, and keeps them.
 *
 * @param source glue as the transpiler makes it
 * @throws {SyntaxError} for what is not a module
 */
export function plainExports(source: string): string {
  const program = parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
  const edits: Edit[] = [];
  const visit = (node: AnyNode): void => {
    if (node.type === 'FunctionDeclaration' && isExport(node)) {
      edits.push(...withoutBooks(node, source));
      return;
    }
    if (node.type === 'FunctionDeclaration' && node.id?.name === 'getOrCreateAsyncState') {
      edits.push({ start: node.start, end: node.end, text: plainState });
      return;
    }
    for (const child of childNodes(node)) visit(child);
  };
  visit(program);
  const plain = trimGlue(applyEdits(source, edits));
  return keepsNoBooks(plain) ? plain : trimGlue(source);
}

/** The state of a component whose tasks are never suspended. */
const plainState = `function getOrCreateAsyncState(componentIdx) {
  let state = ASYNC_STATE.get(componentIdx);
  if (state === undefined) {
    let trapped = false;
    state = {
      set mayLeave(value) {
        const flags = INSTANCE_FLAGS.get(componentIdx);
        if (flags !== undefined) flags.value = value ? 1 : 0;
      },
      markTrapped: (err) => {
        if (!(_normalizeCoreTrap(err) instanceof WebAssembly.RuntimeError)) return false;
        trapped = true;
        return true;
      },
      throwIfTrapped: () => {
        if (trapped) throw new WebAssembly.RuntimeError('wasm trap: cannot enter component instance');
      },
    };
    ASYNC_STATE.set(componentIdx, state);
  }
  return state;
}`;

/** The ways in which the state is asked for that `plainState` answers. */
const knownUses = [
  /getOrCreateAsyncState\(\d+\)\.throwIfTrapped\(\)/g,
  /getOrCreateAsyncState\(\d+\)\.markTrapped\(\w+\)/g,
  /let cstate = getOrCreateAsyncState\(\d+\);\s+cstate\.mayLeave = false;\s+postReturn\d+\([^;]*\);\s+cstate\.mayLeave = true;/g,
  /function getOrCreateAsyncState\(/g,
];

function keepsNoBooks(source: string): boolean {
  if (bookkeepers.some((name) => source.includes(name))) return false;
  const left = knownUses.reduce((text, use) => text.replace(use, ''), source);
  return !left.includes('getOrCreateAsyncState') && !/\bcstate\b/.test(left);
}

/** A function that makes a task for itself. */
function isExport(node: FunctionDeclaration | AnyNode): boolean {
  const { body } = (node as FunctionDeclaration).body;
  return body.some((statement) => statement.type === 'VariableDeclaration' && makesTask(statement));
}

function makesTask({ declarations }: VariableDeclaration): boolean {
  return declarations.some(
    ({ id, init }) =>
      id.type === 'ArrayPattern' &&
      init?.type === 'CallExpression' &&
      isNamed(init.callee, 'createNewCurrentTask'),
  );
}

/** The parts to remove from an export; none where anything unknown would be left. */
function withoutBooks(made: FunctionDeclaration | AnyNode, source: string): Edit[] {
  const text = source.slice(made.start, made.end);
  if (!/\bisAsync: false,/.test(text) || !/\bisManualAsync: false,/.test(text)) return [];
  const edits: Edit[] = [];
  let left = 0;
  const visit = (node: AnyNode): void => {
    const inner = unwrapped(node);
    if (inner !== undefined) {
      edits.push({ start: node.start, end: inner.start, text: '' });
      edits.push({ start: inner.end, end: node.end, text: '' });
      visit(inner);
    } else if (isBookkeeping(node)) {
      edits.push({ start: node.start, end: node.end, text: '' });
    } else {
      if (node.type === 'Identifier' && books.has(node.name)) left += 1;
      for (const child of childNodes(node)) visit(child);
    }
  };
  visit((made as FunctionDeclaration).body);
  return left === 0 ? edits : [];
}

/**
 * Code that runs with the books open: the block of `return with({ …, fn: () => { … } });`, and the
 * call of `with({ …, fn: () => f(…) })`.
 */
function unwrapped(node: AnyNode): AnyNode | undefined {
  if (node.type === 'ReturnStatement' && node.argument?.type === 'CallExpression') {
    const run = runWithBooks(node.argument);
    return run?.type === 'BlockStatement' ? run : undefined;
  }
  const run = node.type === 'CallExpression' ? runWithBooks(node) : undefined;
  return run?.type === 'CallExpression' ? run : undefined;
}

/** A statement that only keeps books, or tells a log that is off. */
function isBookkeeping(node: AnyNode): boolean {
  switch (node.type) {
    case 'VariableDeclaration':
      return (
        makesTask(node) ||
        node.declarations.every(({ id }) => id.type === 'Identifier' && books.has(id.name))
      );
    case 'ExpressionStatement': {
      const { expression } = node;
      if (expression.type === 'CallExpression')
        return isOfTask(expression.callee) || isNamed(expression.callee, '_debugLog');
      if (expression.type !== 'AssignmentExpression') return false;
      const { left } = expression;
      return left.type === 'MemberExpression' && isNamed(left.object, 'CURRENT_TASK_MAY_BLOCK');
    }
    case 'IfStatement':
      return node.alternate == null && isBlockOf(node.consequent, isBookkeeping);
    default:
      return false;
  }
}

function isBlockOf(node: AnyNode, known: (node: AnyNode) => boolean): boolean {
  return node.type === 'BlockStatement' && node.body.length > 0 && node.body.every(known);
}

/** `task.…` */
function isOfTask(node: AnyNode): boolean {
  return node.type === 'MemberExpression' && isNamed(node.object, 'task');
}
