import type { Manifest } from '../../../contracts/capability.ts';
import type { JsonObject } from '../../../contracts/tool.ts';
import { firstUnprintable } from '../../../lib/text/printable.ts';
import { parseJsonObject } from './parse-json.ts';
import { parseManifest } from './parse-manifest.ts';
import type { BinaryShape } from './read-component.ts';
import type { ExportedFunction } from './read-functions.ts';

/** Custom sections that `wasm-tools metadata add` writes, as texts, and the field that each fills. */
const fields = {
  version: 'version',
  description: 'description',
  homepage: 'homepage',
  licenses: 'licence',
} as const;

const maxBytes = 4_096;

/**
 * The facts in the usual metadata of a binary without a manifest. Values that a manifest could not
 * have are left out: a stranger's toolchain wrote them for another reader.
 *
 * @param bytes hold the sections of `shape`
 */
export function readMetadata(
  shape: Pick<BinaryShape, 'customSections'>,
  bytes: Uint8Array,
): Partial<Pick<Manifest, 'version' | 'description' | 'homepage' | 'licence'>> {
  const found: Record<string, string> = {};
  for (const { name, offset, length } of shape.customSections) {
    const field = Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : undefined;
    if (field === undefined || length > maxBytes || field in found) continue;
    const text = new TextDecoder().decode(bytes.subarray(offset, offset + length)).trim();
    Object.assign(found, knownFields({ [field]: text }));
  }
  return found;
}

/** The fields whose values a manifest could have. */
export function knownFields(said: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(said).filter(([field, value]) => isTaken({ [field]: value })),
  );
}

function isTaken(said: object): boolean {
  const whole = { name: 'a', version: '0.0.0', description: 'a', wants: [], ...said };
  try {
    parseManifest(new TextEncoder().encode(JSON.stringify(whole)));
    return true;
  } catch {
    return false;
  }
}

const maxDocsBytes = 64 * 1024;
/** Characters of one comment, with room for the types behind it. */
const maxLength = 2_000;

/** The WIT comments of a binary about one of its exported functions. */
export type WitDocs = (exported: Pick<ExportedFunction, 'instance' | 'name'>) => string | undefined;

/** The section of `plugin build`, and the one of WIT packages. */
const sections = ['cuervo:wit-docs', 'package-docs'];

/**
 * The comments as `wit-component` writes them into WIT packages: a byte for the version, and JSON
 * by interface, world and function. Unreadable ones are left out.
 *
 * @param bytes hold the sections of `shape`
 */
export function readWitDocs(
  shape: Pick<BinaryShape, 'customSections'>,
  bytes: Uint8Array,
): WitDocs {
  const section = sections
    .map((wanted) => shape.customSections.find(({ name }) => name === wanted))
    .find((found) => found !== undefined);
  if (section === undefined || section.length < 1) return () => undefined;
  const { offset, length } = section;
  const text = new TextDecoder().decode(bytes.subarray(offset + 1, offset + length));
  let docs: JsonObject;
  try {
    if ((bytes[offset] as number) > 1) return () => undefined;
    docs = parseJsonObject(text, section.name, maxDocsBytes);
  } catch {
    return () => undefined;
  }
  return ({ instance, name }) => {
    if (instance === undefined) {
      const worlds = Object.values(objectAt(docs, 'worlds'));
      return worlds
        .flatMap((world) => [objectAt(world, 'funcs'), objectAt(world, 'func_exports')])
        .map((functions) => docsAt(functions, name))
        .find((found) => found !== undefined);
    }
    const inside = instance.replace(/@.*$/, '').replace(/^.*\//, '');
    return docsAt(objectAt(objectAt(objectAt(docs, 'interfaces'), inside), 'funcs'), name);
  };
}

/** A function has its comment, or an object that holds it. */
function docsAt(functions: JsonObject, name: string): string | undefined {
  if (!Object.hasOwn(functions, name)) return undefined;
  const said = functions[name];
  const text = typeof said === 'string' ? said : objectAt(functions, name).docs;
  const line = typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : '';
  return line === '' || firstUnprintable(line) !== undefined ? undefined : line.slice(0, maxLength);
}

function objectAt(value: unknown, name: string): JsonObject {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return {};
  const found = (value as JsonObject)[name];
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : {};
}
