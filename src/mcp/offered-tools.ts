import { KernelError } from '../contracts/error.ts';
import { type Effect, isReading, type JsonObject, type Tool } from '../contracts/tool.ts';
import { sha256 } from '../lib/sha256.ts';
import { escapeLine } from '../lib/text/escape.ts';

/** A tool as a client sees it. */
export type OfferedTool = {
  /** `^[a-z0-9_-]{1,40}$`: clients put a name of their own before it, and some cut at 64 */
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject & { type: 'object' };
  outputSchema?: JsonObject & { type: 'object' };
  annotations: Annotations;
};

export type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

const maxName = 40;
/** Of a description, which is somebody else's text. */
const maxDescription = 1_000;
/** Capabilities by which a plugin reaches what is not on this machine. */
const reaching: ReadonlySet<string> = new Set(['http', 'exec', 'network']);

/** `search.grep` -> `search_grep`; a name that is too long ends with the digest of all of it. */
export function clientName(tool: string): string {
  const name = tool.toLowerCase().replace(/[^a-z0-9_-]/g, '_');
  if (name.length <= maxName) return name;
  const digest = sha256(Buffer.from(tool)).slice(0, 8);
  return `${name.slice(0, maxName - digest.length - 1)}_${digest}`;
}

/** @param capabilities of the plugin's label; what its author says of it counts for nothing */
export function annotationsOf(effect: Effect, capabilities: readonly string[]): Annotations {
  const reads = isReading(effect);
  return {
    readOnlyHint: reads,
    destructiveHint: !reads,
    idempotentHint: reads,
    openWorldHint: effect === 'external' || capabilities.some((each) => reaching.has(each)),
  };
}

/**
 * @param tools of plugins
 * @param capabilitiesOf a plugin's label
 * @throws {KernelError} `conflict` where two have one name for clients
 */
export function offerTools(
  tools: readonly Tool[],
  capabilitiesOf: (plugin: string) => readonly string[],
  own: readonly OfferedTool[],
): { offered: OfferedTool; tool: Tool }[] {
  const taken = new Map(own.map(({ name }) => [name, name]));
  return tools
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((tool) => {
      const name = clientName(tool.name);
      const other = taken.get(name);
      if (other !== undefined) throw sameName(tool.name, other, name);
      taken.set(name, tool.name);
      const { inputSchema, outputSchema } = tool;
      const offered: OfferedTool = {
        name,
        title: tool.name,
        description: escapeLine(tool.description).slice(0, maxDescription),
        inputSchema: { ...inputSchema, type: 'object' },
        ...(outputSchema?.type === 'object'
          ? { outputSchema: { ...outputSchema, type: 'object' } }
          : {}),
        annotations: annotationsOf(tool.effect, capabilitiesOf(tool.plugin)),
      };
      return { offered, tool };
    });
}

function sameName(one: string, other: string, name: string): KernelError {
  const message = `${one} and ${other} have the same name for clients, ${name}`;
  return new KernelError('conflict', message, {
    hint: 'Serve one of them, as with: cuervo mcp serve --tools NAME',
  });
}
