import { type ByteReader, fault } from './byte-reader.ts';
import {
  componentSections,
  headers,
  hexOf,
  maxSections,
  readComponentExport,
  readComponentImport,
  readExternName,
  readSort,
} from './component-externs.ts';

const maxDepth = 16;
const maxRepeats = 5;

type Walk = { coreModules: number; repeats: Set<string>; budget: { sections: number } };

/**
 * Looks through a component and all components nested in it for a way to instantiate one core
 * module twice: a second memory of the same declared size that no bound on the declaration sees.
 *
 * When every component and every core module is defined in place and instantiated at most once by
 * its own parent, each core module lives at most once. So two things are reported: an index that
 * is instantiated twice, and anything that makes a second index for the same definition (imports,
 * exports and aliases of components and core modules). Toolchains need neither.
 *
 * @param reader stands behind the header of the component
 * @throws {KernelError} `plugin-fault` when what it has to read is malformed
 */
export function findRepeats(reader: ByteReader): { coreModules: number; repeats: string[] } {
  const walk: Walk = { coreModules: 0, repeats: new Set(), budget: { sections: maxSections } };
  walkComponent(reader, walk, 0);
  return { coreModules: walk.coreModules, repeats: [...walk.repeats] };
}

function walkComponent(reader: ByteReader, walk: Walk, depth: number): void {
  const here = reader.offset - 8;
  if (depth > maxDepth) {
    throw fault(`refused at offset ${here}: components nested deeper than ${maxDepth}`);
  }
  const modules = new Set<number>();
  const components = new Set<number>();
  const report = (sentence: string): void => {
    if (walk.repeats.size < maxRepeats) walk.repeats.add(sentence);
  };
  const instantiate = (seen: Set<number>, index: number, what: string): void => {
    if (seen.has(index)) {
      report(`${what} ${index} of the component at offset ${here} is instantiated more than once`);
    }
    seen.add(index);
  };
  const handOn = (kind: string, what: string): void => {
    if (kind !== 'module' && kind !== 'component') return;
    const thing = kind === 'module' ? 'a core module' : 'a component';
    report(`the component at offset ${here} ${what} ${thing}`);
  };

  for (const { id, body } of componentSections(reader, walk.budget)) {
    switch (id) {
      case 1:
        expectHeader(body, 'module');
        walk.coreModules += 1;
        break;
      case 4:
        expectHeader(body, 'component');
        walkComponent(body, walk, depth + 1);
        break;
      case 2:
        eachItem(body, 'core instances', () => {
          const index = readCoreInstance(body);
          if (index !== undefined) instantiate(modules, index, 'core module');
        });
        break;
      case 5:
        eachItem(body, 'instances', () => {
          const index = readInstance(body);
          if (index !== undefined) instantiate(components, index, 'component');
        });
        break;
      case 6:
        eachItem(body, 'aliases', () => handOn(readAlias(body), 'aliases'));
        break;
      case 10:
        eachItem(body, 'imports', () => handOn(readComponentImport(body).kind, 'imports'));
        break;
      case 11:
        eachItem(body, 'exports', () => handOn(readComponentExport(body).kind, 'exports'));
        break;
    }
  }
}

function expectHeader(body: ByteReader, what: 'module' | 'component'): void {
  const at = body.offset;
  if (hexOf(body.take(8, `the header of a nested ${what}`)) !== headers[what]) {
    throw fault(`malformed at offset ${at}: a nested ${what} has the wrong header`);
  }
}

/** Index of the core module that is instantiated; undefined for a bundle of exports. */
function readCoreInstance(body: ByteReader): number | undefined {
  const at = body.offset;
  const form = body.u8('a core instance');
  if (form > 1) throw fault(`malformed at offset ${at}: unknown form ${form} of a core instance`);
  const index = form === 0 ? body.u32('a core module index') : undefined;
  eachItem(
    body,
    'entries of a core instance',
    () => {
      body.skipName('the name of an entry');
      body.u8('a core sort');
      body.u32('an index');
    },
    false,
  );
  return index;
}

/** Index of the component that is instantiated; undefined for a bundle of exports. */
function readInstance(body: ByteReader): number | undefined {
  const at = body.offset;
  const form = body.u8('an instance');
  if (form > 1) throw fault(`malformed at offset ${at}: unknown form ${form} of an instance`);
  const index = form === 0 ? body.u32('a component index') : undefined;
  eachItem(
    body,
    'entries of an instance',
    () => {
      if (form === 0) body.skipName('the name of an argument');
      else readExternName(body, 'an export name');
      readSort(body);
      body.u32('an index');
    },
    false,
  );
  return index;
}

function readAlias(body: ByteReader): string {
  const kind = readSort(body);
  const at = body.offset;
  const target = body.u8('the target of an alias');
  if (target > 2) throw fault(`malformed at offset ${at}: unknown target ${target} of an alias`);
  body.u32('an index');
  if (target === 2) body.u32('an index');
  else body.skipName('the name of an alias');
  return kind;
}

function eachItem(body: ByteReader, what: string, read: () => void, whole = true): void {
  const count = body.count(what);
  for (let index = 0; index < count; index += 1) read();
  if (whole) body.expectEnd(`the ${what}`);
}
