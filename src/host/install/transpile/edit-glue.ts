import { type Node, parse } from 'acorn';
import { exportKey, importKey } from '../../../protocol/call-names.ts';
import { u32 } from '../component/bound-module.ts';
import { ByteReader } from '../component/byte-reader.ts';
import {
  componentSections,
  maxSections,
  readComponentExport,
  readComponentImport,
} from '../component/component-externs.ts';
import {
  coreNames,
  coreSections,
  maxCoreNameBytes,
  maxCoreSections,
  readCoreImport,
} from '../component/core-module.ts';

export type Edit = { start: number; end: number; text: string };

/** @param edits one within another is part of what the outer one takes away */
function applyEdits(text: string, edits: readonly Edit[]): string {
  const outerFirst = (one: Edit, other: Edit): number =>
    one.start - other.start || other.end - one.end;
  let result = '';
  let at = 0;
  for (const edit of [...edits].sort(outerFirst)) {
    if (edit.start < at) continue;
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

const exportSection = 11;
const componentImports = 10;

/**
 * A component whose functions and instances are exported as `exportKey` says, and whose imports of
 * WASI 0.3 are named apart from those of 0.2: glue leaves versions out, and one component may take
 * both.
 *
 * @throws {KernelError} `plugin-fault` when it is malformed
 */
export function renameExterns(component: Uint8Array): Buffer {
  const parts: Uint8Array[] = [component.subarray(0, 8)];
  const reader = new ByteReader(component, 8);
  for (const { id, start, body } of componentSections(reader, { sections: maxSections })) {
    const isExports = id === exportSection;
    if (!isExports && id !== componentImports) {
      parts.push(component.subarray(start, reader.offset));
      continue;
    }
    const what = isExports ? 'exports' : 'imports';
    const count = body.count(what);
    const entries: Uint8Array[] = [Uint8Array.from(u32(count))];
    const rename = isExports ? renamedExport : renamedImport;
    for (let index = 0; index < count; index += 1) entries.push(rename(component, body));
    body.expectEnd(`the ${what}`);
    const content = Buffer.concat(entries);
    parts.push(Uint8Array.of(id, ...u32(content.byteLength)), content);
  }
  return Buffer.concat(parts);
}

function renamedExport(component: Uint8Array, body: ByteReader): Uint8Array {
  const start = body.offset;
  const { name, kind } = readComponentExport(body);
  const isCalled = kind === 'func' || kind === 'instance';
  return renamed(component, { start, body, name }, isCalled ? exportKey(name) : name);
}

function renamedImport(component: Uint8Array, body: ByteReader): Uint8Array {
  const start = body.offset;
  const { name } = readComponentImport(body);
  return renamed(component, { start, body, name }, importKey(name));
}

/** The entry that was just read: a byte, its name, and what it is. */
function renamed(
  component: Uint8Array,
  { start, body, name }: { start: number; body: ByteReader; name: string },
  key: string,
): Uint8Array {
  if (key === name) return component.subarray(start, body.offset);
  const behind = new ByteReader(component, start + 1);
  behind.skipName('a name');
  return Buffer.concat([
    Uint8Array.of(component[start] ?? 0, ...u32(key.length)),
    Buffer.from(key),
    component.subarray(behind.offset, body.offset),
  ]);
}

/** A function of a core module, as its import section names it. */
export type ImportName = readonly [module: string, name: string];

const importSection = 2;

/**
 * A core module in which one imported function goes by another name; its type stays.
 *
 * @returns undefined where it is not imported
 * @throws {KernelError} `plugin-fault` when it is malformed
 */
export function renameImport(
  module: Uint8Array,
  from: ImportName,
  to: ImportName,
): Uint8Array | undefined {
  const reader = new ByteReader(module, 8);
  for (const { id, start, body } of coreSections(reader, maxCoreSections)) {
    if (id !== importSection) continue;
    const content = importsRenamed(module, body, { from, to });
    if (content === undefined) return undefined;
    const head = Uint8Array.of(importSection, ...u32(content.byteLength));
    const behind = module.subarray(reader.offset);
    return Buffer.concat([module.subarray(0, start), head, content, behind]);
  }
  return undefined;
}

function importsRenamed(
  bytes: Uint8Array,
  body: ByteReader,
  { from, to }: { from: ImportName; to: ImportName },
): Buffer | undefined {
  const count = body.count('imports');
  const parts: Uint8Array[] = [Uint8Array.from(u32(count))];
  let isFound = false;
  for (let index = 0; index < count; index += 1) {
    const behindNames = new ByteReader(bytes, body.offset);
    const { module, name, kind } = readCoreImport(body, maxCoreNameBytes);
    const isIt = kind === 'func' && module === from[0] && name === from[1];
    isFound ||= isIt;
    for (const text of isIt ? to : [module, name]) {
      behindNames.skipName('a name');
      parts.push(Uint8Array.from(u32(Buffer.byteLength(text))), Buffer.from(text));
    }
    parts.push(bytes.subarray(behindNames.offset, body.offset));
  }
  return isFound ? Buffer.concat(parts) : undefined;
}

/**
 * Glue as a script whose value is its function `instantiate`. A script is compiled at once, where
 * a module goes through the loader, which costs a plugin process some milliseconds of its start.
 *
 * @param module glue as the transpiler makes it, for instantiation when asked
 * @throws {SyntaxError} for what is no such module
 */
export function glueScript(module: string): string {
  const { body } = parse(module, { ecmaVersion: 'latest', sourceType: 'module' });
  const exported = body.flatMap((node) =>
    node.type === 'ExportNamedDeclaration' ? (node.declaration ?? []) : [],
  );
  const made = exported.filter((node) => node.type === 'FunctionDeclaration');
  const instantiate = made.find(({ id }) => id.name === 'instantiate');
  if (instantiate === undefined) {
    throw new SyntaxError('the transpiler made no function "instantiate"');
  }
  // It would be what all other code in there compares with.
  if (/\bfunction undefined\(/.test(module)) {
    throw new SyntaxError('a function is called "undefined"; give it another name in the WIT');
  }
  const others = body.filter((node) => !isEmpty(node) && node.type !== 'ExportNamedDeclaration');
  if (others.some(({ type }) => !declarations.includes(type))) {
    throw new SyntaxError('the transpiler made code outside of functions');
  }
  // Modules are strict; lines stay what they are, for the places in an error.
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
  if (others.length === 0 && made.length === 1) {
    const before = blank(module.slice(0, instantiate.start));
    return `"use strict";${before}(${module.slice(instantiate.start, instantiate.end)})\n`;
  }
  const edits = body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return [];
    const { start, end, declaration } = node;
    const to = declaration?.start ?? end;
    return [{ start, end: to, text: blank(module.slice(start, to)) }];
  });
  return `"use strict";(() => {${applyEdits(module, edits)}; return instantiate; })()\n`;
}

const declarations: readonly string[] = [
  ...['FunctionDeclaration', 'ClassDeclaration', 'VariableDeclaration'],
];

function isEmpty(node: Node): boolean {
  return node.type === 'EmptyStatement' || 'directive' in node;
}

/**
 * Texts of the transpiler's glue, and their replacements. Those about values are part of the glue's
 * helpers, so every place that lifts one is reached.
 */
const changes: readonly (readonly [RegExp, string])[] = [
  [
    /throw new TypeError\(`must be between [^`]*`\);/g,
    'const size = max - min + 1; return ((i - min) % size + size) % size + min;',
  ],
  [/throw new TypeError\('invalid variant discriminant for bool'\);/g, 'return true;'],
  [/throw new TypeError\('flags have extraneous bits set'\);/g, ';'],
  // A record with a field `to-string` has no text.
  [/\$\{String\(value\)\} (?=\(see error\.payload\))/g, ''],
  // Two maps in one function would declare the same name twice.
  [
    /let i = 0;\s+for \(const \[key, value\] of (entries\d+)\) \{/g,
    'for (let [i, [key, value]] of [...$1].entries()) {',
  ],
  // Which of several events a guest sees first would be another in each run, and in a replay.
  [/sort: Math\.random\(\)/g, 'sort: 0'],
  [
    /const _coinFlip = \(\) => \{ return Math\.random\(\) > 0\.5; \};/g,
    'let _coin = false; const _coinFlip = () => { _coin = !_coin; return _coin; };',
  ],
  // It looks every ten milliseconds whether a task can go on; one that went on has a turn.
  [/setTimeout\(resolve, delay\)/g, 'delay === 0 ? setImmediate(resolve) : setTimeout(resolve, 1)'],
  [/setTimeout\((async \(\) => \{\s+let result = this\.tick[\s\S]*?\}), 10\)/g, 'setImmediate($1)'],
  // A timer waits for a millisecond at least, in which the guest cannot start its next import.
  [/setTimeout(?=\(\(\) => \{\s+\/\/ NOTE: whether the import settled)/g, 'setImmediate'],
  // Each step would look at the environment.
  [
    /if \(!globalThis\?\.process\?\.env\?\.JCO_DEBUG\) \{ return; \}\s+console\.debug\(\.\.\.args\);/g,
    '',
  ],
  // By which a part waits: no function of ours may stand between it and who calls it.
  [/new WebAssembly\.Instance\((?=\s+_conditionalSuspending)/g, 'instantiateCore('],
  // Bytes of a stream would be numbers in a list, and slow by twenty times.
  [
    /values = Array\.from\((new Uint8Array\(this\.#memory\.buffer, this\.#ptr, count\))\);/g,
    'values = $1.slice();',
  ],
  [
    /!Array\.isArray\((values|args\.data)\)(?=\) \{\s*throw new TypeError\(.(?:values input|writeMany|host-only))/g,
    '!Array.isArray($1) && !ArrayBuffer.isView($1)',
  ],
  [
    /this\.#hostOnlyData\.concat\(values\)/g,
    'this.#hostOnlyData.length === 0 ? values : [...this.#hostOnlyData, ...values]',
  ],
  // Bytes that the host gives would be counted out into a list, one by one.
  [
    /drainInto\(target, maxCount\) \{/g,
    `takeView(maxCount) {
      const view = this.#chunks[0];
      if (!ArrayBuffer.isView(view)) { return undefined; }
      const taken = view.subarray(this.#offset, this.#offset + maxCount);
      [this.#length, this.#offset] = [this.#length - taken.length, this.#offset + taken.length];
      if (this.#offset === view.length) { this.#chunks.shift(); this.#offset = 0; }
      return taken;
    }
    $&`,
  ],
  [
    /const values = \[\];(\s+const hasPendingReadBuffer[^;]*;\s+const drainPendingValues = [^{]*\{\s+)(count -= [^;]*;)/g,
    `let values = [];$1const taken = values.length === 0 ? pendingValues.takeView(count) : undefined;
        if (taken === undefined) { $2 } else { values = taken; count = 0; }`,
  ],
  [
    /values = (this\.#hostOnlyData)\.slice\(0, count\);(\s+)(this\.#hostOnlyData = )this\.#hostOnlyData\.slice\(count\);/g,
    "const part = ArrayBuffer.isView($1) ? 'subarray' : 'slice';$2values = $1[part](0, count);$2$3$1[part](count);",
  ],
  // Nobody looks a buffer up, so the list of all of them would only keep them, with their bytes.
  [/instanceBuffers\.set\(nextBufID, buffer\);/g, ''],
  // The host is given each task, so that it can ask one to end, which then has no result.
  [/(=> new WebAssembly\.Instance\(module, importObject\))\) \{/g, '$1, host) {'],
  [/const newTaskMeta = \{/g, 'host?.onTask(newTask); $&'],
  // What a call left waiting would be looked at every millisecond of all calls after it.
  [/while \((?=result !== ComponentAsyncState\.TickResult\.DONE)/g, '$&!host?.isOver && '],
  [
    /(if \(this\.#errored !== null)(\) \{\s+rejectCompletionPromise\(this\.#errored)\);/g,
    "$1 || this.cancelled$2 ?? new Error('the call was canceled'));",
  ],
  // Who adds one has taken it out of its set, so looking for it takes the time of all of them.
  [/(addWaitable\(waitable\) \{\s+)this\.removeWaitable\(waitable\);/g, '$1'],
  // Members that a class has cannot be set; nobody calls static functions of a resource.
  [/^(\s*\w+\.)(name|length|prototype|caller|arguments)(?= = function )/gm, '$1$$$2'],
];

/**
 * Glue that lifts numbers which their types do not have as the canonical ABI says, where the
 * transpiler's traps: integers of 8 and 16 bits by their lower bits, any number but 0 as `true`,
 * flags without the bits that have no name. Compilers leave such bits, as in `exit(-1)` of C. What
 * the ABI has for a fault stays one: a case, an enum or a character that does not exist. No name of
 * a field or a function makes it fail.
 *
 * @param module glue as the transpiler makes it
 */
export function wrapSmallValues(module: string): string {
  return changes.reduce((text, [from, to]) => text.replaceAll(from, to), module);
}

/**
 * Names of core modules stand in the glue as they are, so the edits must not change one.
 *
 * @throws {TypeError} that names the first that they would
 */
export function checkUnedited(module: Uint8Array): void {
  for (const { verb, name } of coreNames(module)) {
    if (wrapSmallValues(name) === name) continue;
    throw new TypeError(`a core module ${verb} "${name}", as code around it is written`);
  }
}
