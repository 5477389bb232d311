import type { CapabilityName } from '../../../contracts/capabilities.ts';
import type { Manifest, Want } from '../../../contracts/capability.ts';
import { type Effect, isObject, type Json, type JsonObject } from '../../../contracts/tool.ts';
import { CborFault, cborToJson } from '../../../lib/cbor.ts';
import { firstUnprintable, quoteText } from '../../../lib/text/printable.ts';
import type { Adapter, ListedTool } from '../../../protocol/bindings.ts';
import { fault } from './byte-reader.ts';
import { deriveManifest } from './manifest-tools.ts';
import { parseDescribe, type ToolDescription } from './parse-describe.ts';
import { parseJsonObject } from './parse-json.ts';
import type { BinaryItem, BinaryShape } from './read-component.ts';
import { knownFields } from './read-metadata.ts';

/** The interface that makes a component one of Agent Component Tools. */
const provider = 'act:tools/tool-provider';

/** The name with its version under which a component exports the interface. */
export function actProvider(exports: readonly Pick<BinaryItem, 'name'>[]): string | undefined {
  return exports.find(({ name }) => name.startsWith(`${provider}@`))?.name;
}

/** Its interfaces that are not served, and what to do instead. */
const unserved: Readonly<Record<string, string>> = {
  'act:sessions/session-provider':
    'its tools want a session, and cuervo opens none: build it without #[session_open], and give each tool what it needs',
  'act:credentials/store':
    'cuervo hands no secret to a plugin: build it without, and let it send {{secret:NAME}} in a header of a request',
  'act:consent/consent-authority':
    'cuervo asks a person by the effect of a call alone: build it without',
};

/** Why an import or export of Agent Component Tools is refused; undefined for every other one. */
export function actProblem(name: string): string | undefined {
  const [interfaceOf = '', version = ''] = name.split('@');
  if (Object.hasOwn(unserved, interfaceOf)) return unserved[interfaceOf];
  if (interfaceOf !== provider || /^0\.2\.\d+$/.test(version)) return undefined;
  return `this version calls ${provider}@0.2.0: build it with act-sdk 0.14`;
}

/** What `act-build pack` writes: what the component is called, and what it declares. */
const section = 'act:component';

/** What stands for each class that a component declares. Sockets are never granted. */
const classes: Readonly<Record<string, readonly CapabilityName[]>> = {
  'wasi:filesystem': ['fs', 'fs-write'],
  'wasi:http': ['http'],
};
/** There is no class of them. */
const undeclared: readonly CapabilityName[] = ['clock', 'random'];

/**
 * The manifest in the words of Agent Component Tools; undefined where nothing was packed into it.
 *
 * @param bytes hold the sections of `shape`
 * @param file names it where it does not name itself
 * @throws {KernelError} `plugin-fault` for a section that cannot be read
 */
export function readActManifest(
  shape: Pick<BinaryShape, 'customSections'>,
  bytes: Uint8Array,
  file: string,
): Manifest | undefined {
  const found = shape.customSections.find(({ name }) => name === section);
  if (found === undefined) return undefined;
  // Its pieces take far more memory than its bytes.
  if (found.length > maxSectionBytes)
    throw fault(`its section ${section} has ${found.length} bytes, limit ${maxSectionBytes}`);
  let std: JsonObject;
  try {
    const json = cborToJson(bytes.subarray(found.offset, found.offset + found.length));
    std = objectAt(parseJsonObject(json, section, maxSectionBytes), 'std');
  } catch (thrown) {
    if (!(thrown instanceof CborFault)) throw thrown;
    throw fault(`its section ${section} is not CBOR: ${thrown.message}`);
  }
  const { name, version, description, license: licence } = std;
  const called = typeof name === 'string' && /[a-z]/i.test(name) ? name : file;
  const declared = Object.entries(objectAt(std, 'capabilities')).flatMap(([id, said]): Want[] =>
    (Object.hasOwn(classes, id) ? (classes[id] ?? []) : [])
      .filter((capability) => capability !== 'fs-write' || writes(said))
      .map((capability) => ({ capability, why: whyOf(id, said) })),
  );
  const free = undeclared.map((capability) => ({ capability, why: 'no class declares it' }));
  const derived = deriveManifest(called, [...declared, ...free]);
  return { ...derived, ...knownFields({ version, description, licence }), tools: [] };
}

const maxSectionBytes = 64 * 1024;
const maxWhy = 200;

function whyOf(id: string, said: Json): string {
  const description = textOf(isObject(said) ? said.description : undefined);
  const text = description ?? [`declares ${id}`, ...placesOf(said)].join(' ');
  const line = text.replace(/\s+/g, ' ').trim().slice(0, maxWhy);
  return line === '' || firstUnprintable(line) !== undefined ? `declares ${id}` : line;
}

/** Hosts and paths of the declaration. They are shown; what is granted decides. */
function placesOf(said: Json): string[] {
  return constraintsOf(said).flatMap((each) => {
    const place = isObject(each) ? (each.host ?? each.path) : undefined;
    return typeof place === 'string' ? [place] : [];
  });
}

/** A declaration without a rule is one of everything. */
function writes(said: Json): boolean {
  const rules = constraintsOf(said);
  return rules.length === 0 || rules.some((each) => isObject(each) && each.mode !== 'ro');
}

function constraintsOf(said: Json): Json[] {
  const rules = isObject(said) ? (said.constraints ?? said.allow) : undefined;
  return Array.isArray(rules) ? rules : [];
}

/** A text, or one in several languages. */
function textOf(said: Json | undefined): string | undefined {
  const text = isObject(said) ? (said.en ?? Object.values(said)[0]) : said;
  return typeof text === 'string' ? text : undefined;
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

/** By this name the install asks for the tools. */
export const listTools = 'list-tools';

export function listingAdapter(instance: string): Adapter {
  return { [listTools]: { kind: 'act', instance } };
}

/**
 * The tools of what `list-tools` gave. A name becomes one of ours: `read_file` is `read-file`. A
 * tool that says of itself that it only reads is held to that, unless the binary can send
 * something: a request that reads has the effect of every other request.
 *
 * @param content JSON of `ListedTool[]`
 * @param effect that its imports allow at most
 * @throws {KernelError} `plugin-fault` that names the tool and the field
 */
export function actTools(
  content: string,
  instance: string,
  effect: Effect,
): { tools: ToolDescription[]; adapter: Adapter } {
  const listed = JSON.parse(content) as ListedTool[];
  const least = effect === 'write' ? 'read' : effect;
  const tools = parseDescribe(
    listed.map(({ name, description, schema, readOnly }) => ({
      name: ourName(name),
      description: description.trim() === '' ? `The tool ${ourName(name)}.` : description,
      inputSchema: schema,
      effect: readOnly ? least : effect,
      examples: [],
    })),
    'list-tools',
  );
  const adapter = tools.map(({ name, inputSchema }, index) => {
    const tool = { name: listed[index]?.name ?? name, input: inputSchema };
    return [name, { kind: 'act', instance, tool }] as const;
  });
  return { tools, adapter: Object.fromEntries(adapter) };
}

function ourName(name: string): string {
  const ours = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[_./:-]+/g, '-');
  if (/^[a-z]/.test(ours)) return ours;
  throw fault(`list-tools names a tool ${quoteText(name)}, which does not begin with a letter`);
}
