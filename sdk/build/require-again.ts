import { type Node, parse } from 'acorn';
import { freeNames } from './free-names.ts';

type Fields = Node & Record<string, unknown>;
type Edit = { start: number; end: number; text: string };

/** What the bundler follows: a call with a text. */
const ofText = /^\s*\(\s*["'`]/;

/**
 * A module whose `require` the bundler does not follow, so that it does. Calls of what
 * `createRequire` made become calls of `require`, which nothing declares any more; a path that is put
 * together of `__dirname` becomes a text. Line numbers stay.
 *
 * @returns the source as it was where it is not JavaScript
 */
export function requireAgain(source: string): string {
  const nodes = /createRequire|dirname/.test(source) ? nodesOf(source) : [];
  const made = nodes.filter(({ type, init }) => type === 'VariableDeclarator' && holdsMade(init));
  const names = made.map(({ id }) => id as Fields).filter(({ type }) => type === 'Identifier');
  const edits = nodes
    .filter((node) => isMade(node) && ofText.test(source.slice(node.end)))
    .map(({ start, end }): Edit => ({ start, end, text: 'require' }))
    .concat(nodes.flatMap(pathEdits));
  // Without their declarations, each name that is meant is one that no scope has.
  const without = applied(
    source,
    names.map(({ start, end }) => ({ start, end, text: 'ª'.repeat(end - start) })),
  );
  for (const { name, at } of names.length === 0 ? [] : freeNames(without)) {
    const end = at + name.length;
    const isTheirs = names.some((each) => each.name === name);
    if (isTheirs && ofText.test(source.slice(end))) edits.push({ start: at, end, text: 'require' });
  }
  let other = 'required';
  while (source.includes(other)) other += '_';
  for (const { name, start, end } of names) {
    if (name === 'require') edits.push({ start, end, text: other });
  }
  return applied(source, edits);
}

function nodesOf(source: string): Fields[] {
  let tree: Node;
  try {
    tree = parse(source, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
  } catch {
    return [];
  }
  // Grows while it is read.
  const nodes = [tree as Fields];
  for (const node of nodes) {
    for (const value of Object.values(node).flat()) {
      if (typeof value === 'object' && value !== null && 'type' in value) {
        nodes.push(value as Fields);
      }
    }
  }
  return nodes;
}

/** `require(path.join(__dirname, 'a', 'b.js'))` of `a/b.js` beside the module, and its like. */
function pathEdits({ type, callee, arguments: given }: Fields): Edit[] {
  const [argument] = (given ?? []) as Fields[];
  if (type !== 'CallExpression' || argument === undefined) return [];
  if ((callee as Fields).name !== 'require') return [];
  const path = pathBeside(argument);
  if (path === undefined || !path.startsWith('/')) return [];
  const { start, end } = argument;
  return [{ start, end, text: JSON.stringify(`.${path}`) }];
}

function pathBeside({
  type,
  callee,
  arguments: given,
  left,
  right,
  ...node
}: Fields): string | undefined {
  if (type === 'BinaryExpression') return isFolder(left) ? textOf(right) : undefined;
  if (type === 'TemplateLiteral') {
    const [folder, ...others] = node.expressions as Fields[];
    const [before, after] = (node.quasis as { value: { cooked: string } }[]).map(
      ({ value }) => value.cooked,
    );
    return isFolder(folder) && others.length === 0 && before === '' ? after : undefined;
  }
  if (type !== 'CallExpression') return undefined;
  const { name } = ((callee as Fields).property ?? callee) as Fields;
  const [folder, ...names] = given as Fields[];
  const texts = names.map(textOf);
  const isJoined = (name === 'join' || name === 'resolve') && isFolder(folder);
  return isJoined && !texts.includes(undefined) ? `/${texts.join('/')}` : undefined;
}

function isFolder(value: unknown): boolean {
  const { name, object, property } = (value ?? {}) as Fields;
  if (name === '__dirname') return true;
  return (
    (object as Fields | undefined)?.type === 'MetaProperty' &&
    (property as Fields).name === 'dirname'
  );
}

function textOf(node: unknown): string | undefined {
  const { value } = node as Fields;
  return typeof value === 'string' ? value : undefined;
}

/** `createRequire(import.meta.url)`, whatever the object is that has the function. */
function isMade({ type, callee, arguments: given }: Fields): boolean {
  if (type !== 'CallExpression') return false;
  const called = callee as Fields;
  const { name } = (called.type === 'MemberExpression' ? called.property : called) as Fields;
  const [{ object, property } = {} as Fields] = given as Fields[];
  return (
    name === 'createRequire' &&
    (object as Fields | undefined)?.type === 'MetaProperty' &&
    /^(?:url|filename)$/.test(`${(property as Fields).name}`)
  );
}

/** Also where code asks first whether it can be made. */
function holdsMade(value: unknown): boolean {
  if (value === null) return false;
  const { consequent, alternate, left, right, ...node } = value as Fields;
  if (node.type === 'ConditionalExpression') return holdsMade(consequent) || holdsMade(alternate);
  if (node.type === 'LogicalExpression') return holdsMade(left) || holdsMade(right);
  return isMade(node as Fields);
}

function applied(source: string, edits: readonly Edit[]): string {
  let text = source;
  for (const { start, end, text: put } of edits.toSorted((a, b) => b.start - a.start)) {
    text = text.slice(0, start) + put + text.slice(end);
  }
  return text;
}
