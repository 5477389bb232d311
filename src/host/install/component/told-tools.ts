import type { ManifestTool } from '../../../contracts/capability.ts';
import { KernelError } from '../../../contracts/error.ts';
import type { ToolBinding } from '../../../protocol/value-type.ts';
import { fault } from './byte-reader.ts';
import type { DerivedTools } from './derive-tools.ts';
import { parseDescribe, type ToolDescription } from './parse-describe.ts';

/**
 * The tools of a binary in the words of its manifest. A program is each tool that the manifest
 * names, told by its first argument; of exported functions those are offered that it names, and
 * their input follows from their types.
 *
 * @param derived what the exports say
 */
export function toldTools(derived: DerivedTools, told: readonly ManifestTool[]): DerivedTools {
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
