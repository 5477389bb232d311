import { type Node, parse } from 'acorn';
import { applyEdits, type Edit } from './apply-edits.ts';
import { childNodes } from './child-nodes.ts';

type AnyNode = Node & Record<string, unknown>;

/**
 * Glue without what does nothing here: traces for jco's own developers (each call makes objects for
 * a dozen of them), marks and wrappers for guests that may be suspended, which no component with
 * synchronous exports is, and functions that nothing names then. They are two fifths of what making
 * an instance costs besides its memories.
 *
 * Code of another form stays as it is.
 *
 * @param module glue as the transpiler makes it
 * @throws {SyntaxError} for what is not a module
 */
export function trimGlue(module: string): string {
  return dropUnnamed(dropIdle(module));
}

function parsed(text: string): AnyNode {
  return parse(text, { ecmaVersion: 'latest', sourceType: 'module' }) as Node as AnyNode;
}

function dropIdle(text: string): string {
  const program = parsed(text);
  const marksCount = isMarkRead(program);
  const names = namesIn(program);
  const edits: Edit[] = [];
  visit(program, (node) => {
    if (isTrace(node) || isPromising(node, names)) {
      edits.push({ start: node.start, end: node.end, text: ';' });
      return false;
    }
    const marked = marksCount ? undefined : markedFunction(node);
    if (marked === undefined) return true;
    edits.push({ start: node.start, end: marked.start, text: '(' });
    edits.push({ start: marked.end, end: node.end, text: ')' });
    return true;
  });
  return applyEdits(text, edits);
}

/** `_debugLog(…);` */
function isTrace(node: AnyNode): boolean {
  const call = node.type === 'ExpressionStatement' ? (node.expression as AnyNode) : undefined;
  if (call?.type !== 'CallExpression' || !isNamed(call.callee, '_debugLog')) return false;
  let changesNothing = true;
  for (const argument of call.arguments as AnyNode[]) {
    visit(argument, ({ type }) => {
      const changing = ['AssignmentExpression', 'UpdateExpression', 'AwaitExpression'];
      if (changing.includes(type) || type === 'YieldExpression') changesNothing = false;
      return changesNothing;
    });
  }
  return changesNothing;
}

/** `try { nAsync = WebAssembly.promising(f); } catch(err) { nAsync = f; }`, and `nAsync` not used. */
function isPromising(node: AnyNode, names: ReadonlyMap<string, number>): boolean {
  if (node.type !== 'TryStatement' || node.finalizer !== null) return false;
  const wrapped = onlyAssignment(node.block as AnyNode);
  const plain = onlyAssignment((node.handler as AnyNode | null)?.body as AnyNode | undefined);
  if (wrapped === undefined || wrapped.name !== plain?.name) return false;
  const { value } = wrapped;
  if (value.type !== 'CallExpression' || value.callee === undefined) return false;
  const callee = value.callee as AnyNode;
  return (
    /^(realloc|postReturn)\d+Async$/.test(wrapped.name) &&
    names.get(wrapped.name) === timesNamed &&
    callee.type === 'MemberExpression' &&
    isNamed(callee.object, 'WebAssembly') &&
    isNamed(callee.property, 'promising')
  );
}

/** Once in the declaration and once in each assignment. */
const timesNamed = 3;

function onlyAssignment(block: AnyNode | undefined): { name: string; value: AnyNode } | undefined {
  const [statement, ...rest] = (block?.body ?? []) as AnyNode[];
  const assignment = statement?.expression as AnyNode | undefined;
  if (rest.length > 0 || assignment?.type !== 'AssignmentExpression') return undefined;
  const left = assignment.left as AnyNode;
  if (left.type !== 'Identifier') return undefined;
  return { name: left.name as string, value: assignment.right as AnyNode };
}

/** `f` of `Object.assign(f, { _jcoMaySuspend: false })` */
function markedFunction(node: AnyNode): AnyNode | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = node.callee as AnyNode;
  const [marked, marks, ...rest] = node.arguments as AnyNode[];
  if (callee.type !== 'MemberExpression' || !isNamed(callee.object, 'Object')) return undefined;
  if (!isNamed(callee.property, 'assign') || rest.length > 0) return undefined;
  const [mark, ...others] = (marks?.properties ?? []) as AnyNode[];
  if (others.length > 0 || !isNamed(mark?.key, suspendMark)) return undefined;
  return (mark?.value as AnyNode | undefined)?.value === false ? marked : undefined;
}

const suspendMark = '_jcoMaySuspend';

/** The one that asks runs callbacks of asynchronous exports. */
function isMarkRead(program: AnyNode): boolean {
  let found = false;
  visit(program, (node) => {
    if (node.type === 'MethodDefinition' && isNamed(node.key, 'runCallbackFn')) return false;
    if (node.type === 'MemberExpression' && isNamed(node.property, suspendMark)) found = true;
    return !found;
  });
  return found;
}

/** Functions, classes and empty variables of `instantiate` that no running code reaches. */
function dropUnnamed(text: string): string {
  const program = parsed(text);
  const candidates = unnamedCandidates(program);
  const left = namesIn(program);
  for (const { names } of candidates)
    for (const [name, count] of names) left.set(name, (left.get(name) ?? 0) - count);
  const used = new Set([...left].filter(([, count]) => count > 0).map(([name]) => name));
  const unused = new Set(candidates);
  for (let found = true; found; ) {
    found = false;
    for (const candidate of unused) {
      if (!used.has(candidate.name)) continue;
      unused.delete(candidate);
      for (const name of candidate.names.keys()) used.add(name);
      found = true;
    }
  }
  return applyEdits(
    text,
    [...unused].map(({ node }) => ({ start: node.start, end: node.end, text: '' })),
  );
}

type Candidate = { name: string; node: AnyNode; names: Map<string, number> };

/** None lies in another one, so that no name is counted twice. */
function unnamedCandidates(program: AnyNode): Candidate[] {
  const candidates = new Map<AnyNode, Candidate>();
  visit(program, (node) => {
    if (candidates.has(node)) return false;
    for (const statement of node.type === 'BlockStatement' ? (node.body as AnyNode[]) : []) {
      const name = droppedName(statement);
      if (name === undefined) continue;
      candidates.set(statement, { name, node: statement, names: namesIn(statement) });
    }
    return true;
  });
  return [...candidates.values()];
}

function droppedName(node: AnyNode): string | undefined {
  const id = node.id as AnyNode | null | undefined;
  if (node.type === 'FunctionDeclaration') return id?.name as string | undefined;
  if (node.type === 'ClassDeclaration' && node.superClass === null && isStaticallyPlain(node))
    return id?.name as string | undefined;
  const [declared, ...rest] = (
    node.type === 'VariableDeclaration' ? node.declarations : []
  ) as AnyNode[];
  if (declared === undefined || rest.length > 0) return undefined;
  const variable = declared.id as AnyNode;
  const init = declared.init as AnyNode | null;
  if (variable.type !== 'Identifier' || (init !== null && !isHarmless(init))) return undefined;
  return variable.name as string;
}

/** Whether making the class runs nothing that anybody could notice. */
function isStaticallyPlain(node: AnyNode): boolean {
  const members = (node.body as AnyNode).body as AnyNode[];
  return members.every((member) => {
    if (member.type === 'StaticBlock' || member.computed === true) return false;
    if (member.type !== 'PropertyDefinition' || member.static !== true) return true;
    return member.value === null || isHarmless(member.value as AnyNode);
  });
}

/** Literals, functions, empty collections, and objects of them: made without running anything. */
function isHarmless(node: AnyNode): boolean {
  let isKnown = true;
  visit(node, (each) => {
    if (/^(?:Arrow)?FunctionExpression$/.test(each.type)) return false;
    const made = each.type === 'NewExpression' || each.type === 'CallExpression';
    isKnown &&= made
      ? harmlessMakers.some((name) => isNamed(each.callee, name))
      : ['Literal', 'ObjectExpression', 'ArrayExpression', 'Property', 'Identifier'].includes(
          each.type,
        );
    return isKnown;
  });
  return isKnown;
}

const harmlessMakers = ['Map', 'Set', 'WeakMap', 'Symbol'];

/** How often each name stands there, whatever it names. */
function namesIn(node: AnyNode): Map<string, number> {
  const names = new Map<string, number>();
  visit(node, (each) => {
    if (each.type === 'Identifier') {
      const name = each.name as string;
      names.set(name, (names.get(name) ?? 0) + 1);
    }
    return true;
  });
  return names;
}

function isNamed(node: unknown, name: string): boolean {
  const { type, name: found } = (node ?? {}) as Partial<AnyNode>;
  return type === 'Identifier' && found === name;
}

/** @param look returns whether to go on below the node */
function visit(node: AnyNode, look: (node: AnyNode) => boolean): void {
  if (!look(node)) return;
  for (const child of childNodes(node)) visit(child, look);
}
