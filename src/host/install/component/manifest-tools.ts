import type { Manifest, ManifestTool, Want } from '../../../contracts/capability.ts';
import { KernelError } from '../../../contracts/error.ts';
import type { Effect, JsonObject } from '../../../contracts/tool.ts';
import { quoteText } from '../../../lib/text/printable.ts';
import type { Adapter, ToolBinding } from '../../../protocol/bindings.ts';
import { fault } from './byte-reader.ts';
import { parseDescribe, type ToolDescription } from './parse-describe.ts';
import type { ExportedFunction } from './read-functions.ts';
import type { WitDocs } from './read-metadata.ts';
import { createTypeExpander, functionText, objectSchema, typeSchema } from './type-schema.ts';

const maxNameLength = 64;
/** Describes a plugin that is named after its file. */
export const derivedDescription = 'A component without a manifest; its tools are what it exports.';

/**
 * Makes a manifest for a binary without one: the name of its file, version 0.0.0, and the wants of
 * its imports.
 *
 * @param file path or name, e.g. `dir/My_Tool.wasm`, which gives `my-tool`
 * @throws {KernelError} `plugin-fault` when the file's name makes no plugin name
 */
export function deriveManifest(file: string, wants: readonly Want[]): Manifest {
  const base = file.replace(/^.*[/\\]/, '').replace(/(\.component|\.core)?\.wasm$/i, '');
  const name = base
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, maxNameLength)
    .replace(/-+$/, '');
  if (name === '') {
    throw fault(
      'it has no manifest, and its file name is not a name of a plugin: rename it to one like my-tool.wasm',
    );
  }
  return {
    name,
    version: '0.0.0',
    description: derivedDescription,
    wants,
  };
}

/**
 * The tools of a binary in the words of its manifest. A program is each tool that the manifest
 * names, told by its first argument; of exported functions those are offered that it names, and
 * their input follows from their types.
 *
 * @param derived what the exports say
 */
export function withManifestTools(
  derived: DerivedTools,
  told: readonly ManifestTool[],
): DerivedTools {
  const command = Object.values(derived.adapter).find(({ kind }) => kind === 'command');
  try {
    return command?.kind === 'command'
      ? programTools(derived, told, { ...command, kind: 'tool' })
      : functionTools(derived, told);
  } catch (thrown) {
    if (!(thrown instanceof KernelError) || thrown.code !== 'plugin-fault') throw thrown;
    return { ...derived, reasons: [...derived.reasons, thrown.message] };
  }
}

function programTools(
  derived: DerivedTools,
  told: readonly ManifestTool[],
  binding: ToolBinding,
): DerivedTools {
  const tools = wholeTools(told);
  const adapter = Object.fromEntries(tools.map(({ name }) => [name, binding]));
  return { tools, adapter, withheld: derived.withheld, reasons: derived.reasons };
}

/**
 * Tools that the manifest alone describes.
 *
 * @throws {KernelError} `plugin-fault` that names the tool and what is missing or wrong
 */
export function wholeTools(told: readonly ManifestTool[]): ToolDescription[] {
  return parseDescribe(
    told.map(({ name, description, effect, input, output, examples = [] }) => {
      const missing = Object.entries({ description, effect, input }).find(
        ([, value]) => value === undefined,
      )?.[0];
      if (missing !== undefined) {
        throw fault(`manifest: tool ${name} has no ${missing}, and nothing else says it`);
      }
      return asDescribed({
        name,
        description: description ?? '',
        effect: effect ?? 'pure',
        inputSchema: input ?? {},
        ...(output === undefined ? {} : { outputSchema: output }),
        examples: [...examples],
      });
    }),
    'manifest',
  );
}

function functionTools(derived: DerivedTools, told: readonly ManifestTool[]): DerivedTools {
  const names = derived.tools.map(({ name }) => name);
  const tools = parseDescribe(
    told.map(({ name, description, effect, input, output, examples }) => {
      const own = derived.tools.find((tool) => tool.name === name);
      if (own === undefined) {
        const known = names.join(', ') || 'none';
        throw fault(`manifest: there is no function for the tool ${name}; the binary has ${known}`);
      }
      if (input !== undefined) {
        throw fault(
          `manifest: tool ${name} is a function, whose types are its input: leave input out`,
        );
      }
      return asDescribed({
        ...own,
        ...(description === undefined ? {} : { description }),
        ...(effect === undefined ? {} : { effect }),
        ...(output === undefined ? {} : { outputSchema: output }),
        ...(examples === undefined ? {} : { examples: [...examples] }),
      });
    }),
    'manifest',
  );
  const kept = new Set(tools.map(({ name }) => name));
  const left = names
    .filter((name) => !kept.has(name))
    .map((name) => `${name}: the manifest does not name it`);
  const adapter = Object.fromEntries(
    Object.entries(derived.adapter).filter(([name]) => kept.has(name)),
  );
  return { tools, adapter, withheld: [...derived.withheld, ...left], reasons: derived.reasons };
}

/** As `describe()` returns it, so that one check judges both. */
function asDescribed({ inputSchema, outputSchema, examples, ...tool }: ToolDescription): object {
  return {
    ...tool,
    inputSchema: JSON.stringify(inputSchema),
    ...(outputSchema === undefined ? {} : { outputSchema: JSON.stringify(outputSchema) }),
    examples: examples.map((example) => JSON.stringify(example)),
  };
}

const maxTools = 100;
const maxSchemaBytes = 64 * 1024;
const toolName = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const httpInterface = /^wasi:http\/(?:incoming-)?handler@/;
const commandInterface = /^wasi:cli\/run@0\.[23]\.\d+$/;

/** Tools of a component that says nothing of itself, and how each is called. */
export type DerivedTools = {
  tools: ToolDescription[];
  adapter: Adapter;
  /** functions that are not offered, one sentence each */
  withheld: string[];
  /** why there can be no tools at all */
  reasons: string[];
};

/**
 * One tool for each exported function whose types have a form in JSON, and `run` for a command.
 * A function of an instance is called `INTERFACE-FUNCTION`.
 *
 * @param options.effect of every tool: what the component imports bounds what any of them does
 * @param options.program what a command reads as its own name
 * @param options.docs what the author's WIT says of a function
 */
export function deriveTools(
  functions: readonly ExportedFunction[],
  { effect, program, docs }: { effect: Effect; program: string; docs?: WitDocs },
): DerivedTools {
  const tools = new Map<string, ToolDescription>();
  const adapter: Record<string, ToolBinding> = Object.create(null);
  const withheld: string[] = [];
  const reasons: string[] = [];
  const shared = sharedNames(functions);
  for (const exported of functions) {
    const where = exported.instance === undefined ? '' : ` of ${exported.instance}`;
    const who = `${quoteText(exported.name).slice(1, -1)}${where}`;
    try {
      const { tool, binding } = deriveTool(exported, { effect, program, shared, docs });
      if (tools.has(tool.name)) {
        reasons.push(`two of its functions would be called ${tool.name}, one is ${who}`);
      }
      tools.set(tool.name, tool);
      adapter[tool.name] = binding;
    } catch (thrown) {
      if (!(thrown instanceof KernelError) || thrown.code !== 'plugin-fault') throw thrown;
      withheld.push(`${who}: ${thrown.message}`);
    }
  }
  if (tools.size > maxTools) {
    reasons.push(`it exports ${tools.size} functions, limit ${maxTools} tools`);
  }
  return { tools: [...tools.values()], adapter: { ...adapter }, withheld, reasons };
}

function deriveTool(
  exported: ExportedFunction,
  {
    effect,
    program,
    shared,
    docs,
  }: { effect: Effect; program: string; shared: ReadonlySet<string>; docs: WitDocs | undefined },
): { tool: ToolDescription; binding: ToolBinding } {
  const { instance, name, type } = exported;
  if (instance !== undefined && commandInterface.test(instance) && name === 'run') {
    return { tool: commandTool(effect), binding: { kind: 'command', instance, program } };
  }
  if (instance !== undefined && httpInterface.test(instance)) {
    throw fault('it serves HTTP requests, and cuervo sends none to a plugin');
  }
  if (isToolchainInit(instance, name, type)) {
    throw fault('its toolchain calls it once, when the component is built');
  }
  const expand = createTypeExpander();
  const params = type.params.map((param) => ({ name: param.name, type: expand(param.type) }));
  if (new Set(params.map((param) => param.name)).size < params.length) {
    throw fault('two of its parameters have the same name');
  }
  const result = type.result === undefined ? undefined : expand(type.result);
  const binding: ToolBinding = {
    kind: 'function',
    ...(instance === undefined ? {} : { instance }),
    name,
    params,
    ...(result === undefined ? {} : { result }),
  };
  const shown = nameOf(instance, name, shared);
  const inputSchema = objectSchema(params);
  const given = result?.kind === 'result' ? result.ok : result;
  const outputSchema = given === undefined ? { type: 'null' } : typeSchema(given);
  refuseLarge(inputSchema, 'input');
  refuseLarge(outputSchema, 'result');
  const from = instance === undefined ? '' : `, exported by ${instance}`;
  const types = `${functionText(name, params, result, type.async)}${from}`;
  const said = docs?.(exported);
  return {
    binding,
    tool: {
      name: shown,
      description: said === undefined ? types : `${said} (${types})`,
      inputSchema,
      outputSchema,
      effect,
      examples: [],
    },
  };
}

function commandTool(effect: Effect): ToolDescription {
  return {
    name: 'run',
    description:
      'Runs the program with arguments and standard input; gives its standard output, its ' +
      'standard error and its exit code, which is 0 when it succeeded.',
    inputSchema: {
      type: 'object',
      properties: {
        args: { type: 'array', items: { type: 'string' }, description: 'behind its own name' },
        stdin: { description: 'text as it is; any other value as JSON' },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        stdout: { type: 'string' },
        stderr: { type: 'string' },
        exitCode: { type: 'integer' },
      },
      required: ['stdout', 'stderr', 'exitCode'],
    },
    effect,
    examples: [],
  };
}

/** Names that functions of several interfaces would have. */
function sharedNames(functions: readonly ExportedFunction[]): ReadonlySet<string> {
  const names = functions.map(({ instance, name }) => shortName(instance, name));
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}

/**
 * `docs:adder/add@0.1.0` and `add-two` make `add-add-two`. Where another function would be called
 * so, too, as with two versions of one interface, it is `docs-adder-add-0-1-0-add-two`.
 */
function nameOf(instance: string | undefined, name: string, shared: ReadonlySet<string>): string {
  const short = shortName(instance, name);
  const isLong = instance !== undefined && shared.has(short);
  const shown = isLong ? `${instance}-${name}`.toLowerCase().replace(/[:/@.+]/g, '-') : short;
  if (!toolName.test(shown)) {
    throw fault(
      name.startsWith('[')
        ? 'it belongs to a resource'
        : `${quoteText(shown)} is not a name of a tool`,
    );
  }
  if (shown.length > maxNameLength) {
    throw fault(`${shown} has ${shown.length} characters, limit ${maxNameLength} for a tool`);
  }
  return shown;
}

function shortName(instance: string | undefined, name: string): string {
  const inside = instance === undefined ? '' : `${lastName(instance)}-`;
  return `${inside}${name}`.toLowerCase();
}

function lastName(instance: string): string {
  return instance.replace(/@.*$/, '').replace(/^.*\//, '');
}

function refuseLarge(schema: JsonObject, what: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > maxSchemaBytes) {
    throw fault(`the schema of its ${what} has ${bytes} bytes, limit ${maxSchemaBytes}`);
  }
}

/** Functions by which componentize-qjs and componentize-py put the program into a component. */
function isToolchainInit(
  instance: string | undefined,
  name: string,
  { params, result }: ExportedFunction['type'],
): boolean {
  if (name !== 'init') return false;
  if (instance === 'exports') return params[0]?.name === 'app-name';
  const nothing = params.length === 0 && result === undefined;
  return instance === undefined && (nothing || params[0]?.name === 'shim');
}
