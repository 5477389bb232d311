import { KernelError } from '../../../contracts/error.ts';
import { ByteReader, fault } from './byte-reader.ts';
import {
  componentSections,
  maxSections,
  readExternName,
  readSort,
  unsupported,
} from './component-externs.ts';
import {
  addItem,
  at,
  type Budget,
  type Exports,
  type FuncType,
  funcAt,
  type Item,
  newBudget,
  newScope,
  readAliasInto,
  readDefinition,
  readExternDefinition,
  readTypeRef,
  type Scope,
  spend,
} from './component-types.ts';

const maxDepth = 16;

/** A function that a component exports, itself or in an instance, with what its types say. */
export type ExportedFunction = { instance?: string; name: string; type: FuncType };

/**
 * The functions that an untrusted component exports, in the order of the file. Types are what the
 * component itself says of them; that the rest of it is valid is for the compiler to find.
 *
 * @param bytes a component, header and all
 * @throws {KernelError} `plugin-fault` with the offset; nothing else is ever thrown
 */
export function readFunctions(bytes: Uint8Array): ExportedFunction[] {
  const exports = walk(new ByteReader(bytes, 8), undefined, newBudget(maxSections), 0);
  return [...exports].flatMap(([name, item]): ExportedFunction[] => {
    if (item.sort === 'func') return [{ name, type: item.type }];
    if (item.sort !== 'instance') return [];
    return [...item.exports].flatMap(([inner, { sort, ...rest }]) =>
      sort === 'func' ? [{ instance: name, name: inner, ...(rest as { type: FuncType }) }] : [],
    );
  });
}

/**
 * The imports of an untrusted component by which it takes types and nothing that could be called
 * or held: interfaces that its own functions speak of, or single types of them. What stands behind
 * something that cannot be read is not among them.
 *
 * @param bytes a component, header and all
 */
export function readTypeImports(bytes: Uint8Array): ReadonlySet<string> {
  const found = new Set<string>();
  try {
    walk(new ByteReader(bytes, 8), undefined, newBudget(maxSections), 0, (name, item) => {
      if (isTypeAlone(item)) found.add(name);
    });
  } catch (thrown) {
    if (!(thrown instanceof KernelError) || thrown.code !== 'plugin-fault') throw thrown;
  }
  return found;
}

/** Resources are not plain types: who imports a new one is handed things of somebody else's. */
function isTypeAlone(item: Item): boolean {
  if (item.sort === 'instance') {
    return item.exports.size > 0 && [...item.exports.values()].every(isTypeAlone);
  }
  return item.sort === 'type' && item.isNew !== true;
}

function walk(
  reader: ByteReader,
  parent: Scope | undefined,
  budget: Budget,
  depth: number,
  onImport: (name: string, item: Item) => void = () => {},
): Exports {
  if (depth > maxDepth) {
    throw fault(`refused at offset ${reader.offset}: components nested deeper than ${maxDepth}`);
  }
  const scope = newScope(parent);
  const exports: Exports = new Map();
  for (const { id, body } of componentSections(reader, budget)) {
    const items = (what: string, read: () => void): void => {
      const count = body.count(what);
      for (let index = 0; index < count; index += 1) {
        spend(budget, body);
        read();
      }
      body.expectEnd(`the ${what}`);
    };
    switch (id) {
      case 4:
        body.take(8, 'the header of a nested component');
        scope.components.push(walk(body, scope, budget, depth + 1));
        break;
      case 5:
        items('instances', () => scope.instances.push(readInstance(body, scope, budget)));
        break;
      case 6:
        items('aliases', () => readAliasInto(body, scope));
        break;
      case 7:
        items('types', () => scope.types.push(readDefinition(body, scope, budget)));
        break;
      case 8:
        items('canonical functions', () => readCanon(body, scope));
        break;
      case 10:
        items('imports', () => {
          const name = readExternName(body, 'an import name');
          const item = readExternDefinition(body, scope);
          if (item === undefined) return;
          addItem(scope, item);
          onImport(name, item);
        });
        break;
      case 11:
        items('exports', () => {
          const { name, item } = readExport(body, scope);
          addItem(scope, item);
          exports.set(name, item);
        });
        break;
    }
  }
  return exports;
}

/** The exports of an instance: all of its component, or the named things. */
function readInstance(body: ByteReader, scope: Scope, budget: Budget): Exports {
  const start = body.offset;
  const form = body.u8('an instance');
  if (form > 1) throw fault(`malformed at offset ${start}: unknown form ${form} of an instance`);
  const made = form === 0 ? at(scope.components, body.u32('an index'), 'component') : undefined;
  const exports: Exports = made ?? new Map();
  const count = body.count('entries of an instance');
  for (let index = 0; index < count; index += 1) {
    spend(budget, body);
    if (made !== undefined) {
      body.skipName('the name of an argument');
      readSort(body);
      body.u32('an index');
    } else {
      const name = readExternName(body, 'an export name');
      exports.set(name, readItem(body, scope));
    }
  }
  return exports;
}

function readExport(body: ByteReader, scope: Scope): { name: string; item: Item } {
  const name = readExternName(body, 'an export name');
  const item = readItem(body, scope);
  const start = body.offset;
  const ascribed = body.u8('the presence of a type');
  if (ascribed > 1) throw fault(`malformed at offset ${start}: ${ascribed} is neither 0 nor 1`);
  const seen = ascribed === 1 ? readExternDefinition(body, scope) : item;
  if (seen?.sort !== item.sort) {
    throw fault(`malformed at offset ${start}: export "${name}" is not of the type it announces`);
  }
  return { name, item: seen };
}

/** A thing of the component by its sort and index. */
function readItem(body: ByteReader, scope: Scope): Item {
  const start = body.offset;
  const sort = readSort(body);
  const index = body.u32('an index');
  if (sort === 'func') return { sort, type: at(scope.funcs, index, 'function') };
  if (sort === 'type') return { sort, type: at(scope.types, index, 'type') };
  if (sort === 'instance') return { sort, exports: at(scope.instances, index, 'instance') };
  throw fault(`refused at offset ${start}: a ${sort} is exported`);
}

/** A `lift` makes a function; the other cases make core functions, which are not counted here. */
function readCanon(body: ByteReader, scope: Scope): void {
  const start = body.offset;
  const tag = body.u8('a canonical function');
  if (tag === 0x00 || tag === 0x01) {
    if (body.u8('a canonical function') !== 0) {
      throw fault(`malformed at offset ${start}: unknown canonical function`);
    }
    body.u32('a function index');
    const options = readOptions(body);
    if (tag === 0x01) return;
    const isAsync = options.has(0x07);
    // The transpiler takes its return for its result, which it has told before.
    if (options.has(0x06) && !isAsync) throw fault(`${unsupported}: async without callback`);
    const type = funcAt(scope, body.u32('a type index'));
    scope.funcs.push(isAsync ? { ...type, async: true } : type);
    return;
  }
  const builtIn = builtIns.get(tag);
  if (builtIn === undefined) {
    throw fault(`refused at offset ${start}: unknown built-in 0x${tag.toString(16)}`);
  }
  const [name, operands] = builtIn;
  if (operands === undefined) throw fault(`${unsupported}: ${name}`);
  for (const operand of operands) {
    if (operand === 'options') readOptions(body);
    else if (operand === 'flag' || operand === 'value type') body.u8(`a ${operand}`);
    else if (operand === 'index') body.u32('an index');
    else if (body.u8('a result') === 0) readTypeRef(body, scope);
    else body.u8('the number of results');
  }
}

type Operand = 'index' | 'flag' | 'value type' | 'options' | 'result';

/**
 * The built-ins of canonical functions by their tag, with what follows it; without, the built-in is
 * refused. Names, tags and operands are those of `canon` in the Component Model's Binary.md.
 */
const builtIns: ReadonlyMap<number, readonly [name: string, operands?: readonly Operand[]]> =
  new Map([
    [0x02, ['resource.new', ['index']]],
    [0x03, ['resource.drop', ['index']]],
    [0x04, ['resource.rep', ['index']]],
    [0x05, ['task.cancel', []]],
    [0x06, ['subtask.cancel', ['flag']]],
    [0x09, ['task.return', ['result', 'options']]],
    [0x0a, ['context.get', ['value type', 'index']]],
    [0x0b, ['context.set', ['value type', 'index']]],
    [0x0c, ['thread.yield', ['flag']]],
    [0x0d, ['subtask.drop', []]],
    [0x0e, ['stream.new', ['index']]],
    [0x0f, ['stream.read', ['index', 'options']]],
    [0x10, ['stream.write', ['index', 'options']]],
    [0x11, ['stream.cancel-read', ['index', 'flag']]],
    [0x12, ['stream.cancel-write', ['index', 'flag']]],
    [0x13, ['stream.drop-readable', ['index']]],
    [0x14, ['stream.drop-writable', ['index']]],
    [0x15, ['future.new', ['index']]],
    [0x16, ['future.read', ['index', 'options']]],
    [0x17, ['future.write', ['index', 'options']]],
    [0x18, ['future.cancel-read', ['index', 'flag']]],
    [0x19, ['future.cancel-write', ['index', 'flag']]],
    [0x1a, ['future.drop-readable', ['index']]],
    [0x1b, ['future.drop-writable', ['index']]],
    [0x1c, ['error-context.new']],
    [0x1d, ['error-context.debug-message']],
    [0x1e, ['error-context.drop']],
    [0x1f, ['waitable-set.new', []]],
    [0x20, ['waitable-set.wait', ['flag', 'index']]],
    [0x21, ['waitable-set.poll', ['flag', 'index']]],
    [0x22, ['waitable-set.drop', []]],
    [0x23, ['waitable.join', []]],
    [0x24, ['backpressure.inc', []]],
    [0x25, ['backpressure.dec', []]],
    [0x26, ['thread.index']],
    [0x27, ['thread.new-indirect']],
    [0x28, ['thread.resume-later']],
    [0x29, ['thread.suspend']],
    [0x2a, ['thread.suspend-then-resume']],
    [0x2b, ['thread.yield-then-resume']],
    [0x2c, ['thread.suspend-then-promote']],
    [0x2d, ['thread.yield-then-promote']],
    [0x40, ['thread.spawn-ref']],
    [0x41, ['thread.spawn-indirect']],
    [0x42, ['thread.available-parallelism']],
  ]);

function readOptions(body: ByteReader): Set<number> {
  const options = new Set<number>();
  for (let left = body.count('options of a function'); left > 0; left -= 1) {
    const start = body.offset;
    const option = body.u8('an option of a function');
    if (option > 0x07) {
      throw fault(`refused at offset ${start}: unknown option ${option} of a function`);
    }
    if (option > 0x02 && option !== 0x06) body.u32('an index');
    options.add(option);
  }
  return options;
}
