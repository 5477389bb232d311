import { type Node, parse } from 'acorn';
import { freeNames } from './free-names.ts';
import { keptPrefix, placePrefix } from './kept-files.ts';

type Fields = Node & Record<string, unknown>;
type Edit = { start: number; end: number; text: string };

/** A module without any of these is not read. */
const looksUp = /createRequire|dirname|__require|require\.resolve|import\.meta\.url/;

/** What the bundler follows: a call with a text. */
const ofText = /^\s*\(\s*["'`]/;

/**
 * A module whose `require` the bundler does not follow, so that it does. Calls of what
 * `createRequire` made, and of what bundlers call `__require`, become calls of `require`, which
 * nothing declares any more; a path that is put together of `__dirname` becomes a text. What is read
 * or resolved beside the module is imported as `keptFiles` knows it. Line numbers stay.
 *
 * @returns the source as it was where it is not JavaScript
 */
export function requireAgain(source: string): string {
  const nodes = looksUp.test(source) ? nodesOf(source) : [];
  const makers = makersOf(nodes);
  const made = nodes.filter(
    ({ type, init, id }) =>
      type === 'VariableDeclarator' &&
      (holdsMade(init, makers) || (id as Fields).name === '__require'),
  );
  const names = made.map(({ id }) => id as Fields).filter(({ type }) => type === 'Identifier');
  const kept = /readFileSync/.test(source) ? keptPrefix : placePrefix;
  const edits = nodes
    .filter((node) => isMade(node, makers) && ofText.test(source.slice(node.end)))
    .map(({ start, end }): Edit => ({ start, end, text: 'require' }))
    .concat(nodes.flatMap((node) => pathEdits(node, kept)));
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

/** `createRequire`, and what it is imported as. */
function makersOf(nodes: readonly Fields[]): ReadonlySet<unknown> {
  const others = nodes.filter(
    ({ type, imported }) =>
      type === 'ImportSpecifier' && (imported as Fields).name === 'createRequire',
  );
  return new Set(['createRequire', ...others.map(({ local }) => (local as Fields).name)]);
}

/**
 * `require(path.join(__dirname, 'a', 'b.js'))` of `a/b.js` beside the module and its like, and such a
 * path, `require.resolve('./a')` and `new URL('./a', import.meta.url)` elsewhere.
 */
function pathEdits(node: Fields, kept: string): Edit[] {
  const { type, callee, arguments: given, start, end } = node;
  const [first, second] = (given ?? []) as Fields[];
  const { name, object, property } = (callee ?? {}) as Fields;
  const keptAs = (path: string, { start, end }: Node): Edit => ({
    ...{ start, end },
    text: `require(${JSON.stringify(kept + path)})`,
  });
  if (type === 'CallExpression' && name === 'require' && first !== undefined) {
    const path = pathBeside(first);
    if (!path?.startsWith('/')) return [];
    return [{ start: first.start, end: first.end, text: JSON.stringify(`.${path}`) }];
  }
  const text = first === undefined ? undefined : textOf(first);
  const isResolve =
    (object as Fields | undefined)?.name === 'require' && (property as Fields).name === 'resolve';
  if (type === 'CallExpression' && isResolve && text !== undefined) return [keptAs(text, node)];
  if (kept !== keptPrefix) return [];
  if (type === 'NewExpression' && name === 'URL' && text?.startsWith('.') && isPlace(second)) {
    return [keptAs(text, first as Fields)];
  }
  const path = pathBeside(node);
  return path?.startsWith('/') ? [keptAs(`.${path}`, { start, end } as Node)] : [];
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
function isMade({ type, callee, arguments: given }: Fields, makers: ReadonlySet<unknown>): boolean {
  if (type !== 'CallExpression') return false;
  const called = callee as Fields;
  const { name } = (called.type === 'MemberExpression' ? called.property : called) as Fields;
  return makers.has(name) && isPlace((given as Fields[])[0]);
}

/** `import.meta.url`, or `import.meta.filename`. */
function isPlace(value: Fields | undefined): boolean {
  const { object, property } = value ?? ({} as Fields);
  return (
    (object as Fields | undefined)?.type === 'MetaProperty' &&
    /^(?:url|filename)$/.test(`${(property as Fields).name}`)
  );
}

/** Also where code asks first whether it can be made. */
function holdsMade(value: unknown, makers: ReadonlySet<unknown>): boolean {
  if (value === null) return false;
  const { consequent, alternate, left, right, ...node } = value as Fields;
  const [one, other] =
    node.type === 'ConditionalExpression' ? [consequent, alternate] : [left, right];
  const isChoice = node.type === 'ConditionalExpression' || node.type === 'LogicalExpression';
  if (isChoice) return holdsMade(one, makers) || holdsMade(other, makers);
  return isMade(node as Fields, makers);
}

/** The first of two edits of one place is made. */
function applied(source: string, edits: readonly Edit[]): string {
  let text = source;
  let before: number | undefined;
  for (const { start, end, text: put } of edits.toSorted((a, b) => b.start - a.start)) {
    if (start !== before) text = text.slice(0, start) + put + text.slice(end);
    before = start;
  }
  return text;
}
