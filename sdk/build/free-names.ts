import { type Node, parse } from 'acorn';

/** A name that no scope of a program declares, and where it stands. */
export type FreeName = {
  name: string;
  /** offset in the program */
  at: number;
  /** the code looks whether it is there, or takes it as a property, which can be undefined */
  isAsked: boolean;
  /** the code assigns it without a declaration, as sloppy code may */
  isMade: boolean;
};

type Scope = { names: Set<string>; isFunction: boolean; parent: Scope | undefined };
type Reference = FreeName & { scope: Scope };

/** Objects whose properties are the globals. */
const globalObjects: ReadonlySet<string> = new Set(['globalThis', 'self', 'window', 'global']);

/** Fields of a node that hold no names of variables. */
const skipped: ReadonlySet<string> = new Set([
  'type',
  'start',
  'end',
  'label',
  'meta',
  'attributes',
]);

/**
 * Every use of a global in a module, in the order of the text: `name`, `typeof name`,
 * `globalThis.name` and `'name' in globalThis`.
 *
 * @throws {SyntaxError} for what is not a module
 */
export function freeNames(module: string): FreeName[] {
  const tree = parse(module, { ecmaVersion: 'latest', sourceType: 'module' });
  const references: Reference[] = [];
  visit(tree, newScope(undefined, true), references);
  return references
    .filter(({ name, scope }) => !isDeclared(name, scope))
    .map(({ scope: _, ...found }) => found)
    .toSorted((one, other) => one.at - other.at);
}

function newScope(parent: Scope | undefined, isFunction: boolean): Scope {
  return { names: new Set(), isFunction, parent };
}

function isDeclared(name: string, scope: Scope | undefined): boolean {
  for (let each = scope; each !== undefined; each = each.parent) {
    if (each.names.has(name)) return true;
  }
  return false;
}

type Fields = Node & Record<string, unknown>;

function visit(node: Node, scope: Scope, found: Reference[]): void {
  const fields = node as Fields;
  switch (node.type) {
    case 'Identifier':
      found.push(reference(fields as Fields & { name: string }, scope));
      return;
    case 'AssignmentExpression':
      visitMade(fields.left, scope, found);
      break;
    case 'ForInStatement':
    case 'ForOfStatement':
      visitMade(fields.left, scope, found);
      visitFields(fields, newScope(scope, false), found);
      return;
    case 'UnaryExpression':
      if (fields.operator === 'typeof' && isIdentifier(fields.argument)) {
        found.push({ ...reference(fields.argument, scope), isAsked: true });
        return;
      }
      break;
    case 'BinaryExpression': {
      const { operator, left, right } = fields as {
        operator?: string;
        left?: Fields;
        right?: Fields;
      };
      if (operator === 'in' && typeof left?.value === 'string' && isGlobalObject(right, scope)) {
        found.push(asked(left.value, node));
      }
      break;
    }
    case 'MemberExpression':
      visitMember(fields, scope, found);
      return;
    case 'Property':
    case 'PropertyDefinition':
    case 'MethodDefinition':
      if (fields.computed === true) visitValue(fields.key, scope, found);
      visitValue(fields.value, scope, found);
      return;
    case 'VariableDeclaration':
      declareAll(fields, scope);
      for (const each of fields.declarations as Fields[]) visitTaken(each, scope, found);
      break;
    case 'FunctionDeclaration':
      declareName(fields.id, scope);
      visitFunction(fields, scope, found);
      return;
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      visitFunction(fields, scope, found);
      return;
    case 'ClassDeclaration':
      declareName(fields.id, scope);
      visitClass(fields, scope, found);
      return;
    case 'ClassExpression':
      visitClass(fields, scope, found);
      return;
    case 'BlockStatement':
    case 'StaticBlock':
    case 'ForStatement':
    case 'SwitchStatement':
      visitFields(fields, newScope(scope, node.type === 'StaticBlock'), found);
      return;
    case 'CatchClause': {
      const inner = newScope(scope, false);
      declarePattern(fields.param, inner);
      visitFields(fields, inner, found);
      return;
    }
    case 'ImportDeclaration':
      for (const { local } of fields.specifiers as { local: Fields }[]) declareName(local, scope);
      return;
    case 'ExportNamedDeclaration':
      if (fields.source != null) return;
      visitValue(fields.declaration, scope, found);
      for (const { local } of fields.specifiers as { local: Fields }[])
        visitValue(local, scope, found);
      return;
    case 'ExportAllDeclaration':
    case 'MetaProperty':
      return;
  }
  visitFields(fields, scope, found);
}

function visitFields(node: Fields, scope: Scope, found: Reference[]): void {
  for (const [name, value] of Object.entries(node)) {
    if (!skipped.has(name)) visitValue(value, scope, found);
  }
}

function visitValue(value: unknown, scope: Scope, found: Reference[]): void {
  if (Array.isArray(value)) {
    for (const one of value) visitValue(one, scope, found);
  } else if (isNode(value)) visit(value, scope, found);
}

/** `const { crypto } = globalThis`, also where another object may be taken. */
function visitTaken({ id, init }: Fields, scope: Scope, found: Reference[]): void {
  if (!isNode(id) || id.type !== 'ObjectPattern' || !holdsGlobals(init, scope)) return;
  for (const { key } of (id as Fields).properties as Fields[]) {
    if (isIdentifier(key)) found.push(asked(key.name, key));
  }
}

function holdsGlobals(value: unknown, scope: Scope): boolean {
  if (!isNode(value)) return false;
  const { consequent, alternate, left, right } = value as Fields;
  if (value.type === 'ConditionalExpression') {
    return holdsGlobals(consequent, scope) || holdsGlobals(alternate, scope);
  }
  if (value.type !== 'LogicalExpression') return isGlobalObject(value, scope);
  return holdsGlobals(left, scope) || holdsGlobals(right, scope);
}

function visitMade(target: unknown, scope: Scope, found: Reference[]): void {
  if (isIdentifier(target)) found.push({ ...reference(target, scope), isMade: true });
}

function visitMember(node: Fields, scope: Scope, found: Reference[]): void {
  const { object, property, computed } = node as {
    object?: Node;
    property?: Fields;
    computed?: boolean;
  };
  visitValue(object, scope, found);
  if (computed === true) visitValue(property, scope, found);
  if (!isGlobalObject(object, scope)) return;
  const name = computed === true ? property?.value : property?.name;
  if (typeof name === 'string') {
    found.push(asked(name, node));
  }
}

function visitFunction(node: Fields, scope: Scope, found: Reference[]): void {
  const inner = newScope(scope, true);
  if (node.type === 'FunctionExpression') declareName(node.id, inner);
  if (node.type !== 'ArrowFunctionExpression') inner.names.add('arguments');
  for (const parameter of node.params as Node[]) declarePattern(parameter, inner);
  visitValue(node.params, inner, found);
  const body = node.body as Fields;
  // The block of a function is the scope of the function.
  if (body.type === 'BlockStatement') visitFields(body, inner, found);
  else visit(body, inner, found);
}

function visitClass(node: Fields, scope: Scope, found: Reference[]): void {
  const inner = newScope(scope, false);
  declareName(node.id, inner);
  visitValue(node.superClass, scope, found);
  visitValue(node.body, inner, found);
}

function declareAll(node: Fields, scope: Scope): void {
  let target = scope;
  if (node.kind === 'var') {
    while (!target.isFunction && target.parent !== undefined) target = target.parent;
  }
  for (const { id } of node.declarations as { id: Node }[]) declarePattern(id, target);
}

function declareName(id: unknown, scope: Scope): void {
  if (isIdentifier(id)) scope.names.add(id.name);
}

function declarePattern(pattern: unknown, scope: Scope): void {
  if (!isNode(pattern)) return;
  const fields = pattern as Fields;
  if (isIdentifier(pattern)) scope.names.add(pattern.name);
  else if (pattern.type === 'ObjectPattern') {
    for (const property of fields.properties as Fields[]) {
      declarePattern(property.type === 'Property' ? property.value : property, scope);
    }
  } else if (pattern.type === 'ArrayPattern') {
    for (const element of fields.elements as unknown[]) declarePattern(element, scope);
  } else if (pattern.type === 'RestElement') declarePattern(fields.argument, scope);
  else if (pattern.type === 'AssignmentPattern') declarePattern(fields.left, scope);
}

function reference(node: Node & { name: string }, scope: Scope): Reference {
  return { name: node.name, at: node.start, isAsked: false, isMade: false, scope };
}

/** A property of the global object, whatever variables there are. */
function asked(name: string, { start }: Node): Reference {
  return { name, at: start, isAsked: true, isMade: false, scope: newScope(undefined, true) };
}

function isGlobalObject(node: unknown, scope: Scope): boolean {
  return isIdentifier(node) && globalObjects.has(node.name) && !isDeclared(node.name, scope);
}

function isIdentifier(value: unknown): value is Node & { name: string } {
  return isNode(value) && value.type === 'Identifier';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
