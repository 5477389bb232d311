import type { InspectReport } from '../../../contracts/output/parse-plugin-output.ts';
import type { Examined } from '../examine-plugin.ts';
import { derivedDescription } from './derive-manifest.ts';
import type { ToolDescription } from './parse-describe.ts';

/**
 * Puts together what was found out about a binary.
 *
 * @param found.tools what `describe()` said; undefined when it was not asked, because the binary
 *   is refused already
 * @param found.reasons more reasons for a refusal, e.g. why it does not compile
 */
export function createInspectReport(found: {
  file: string;
  size: number;
  sha256: string;
  examined: Examined;
  tools: readonly ToolDescription[] | undefined;
  reasons?: readonly string[];
  origin?: Pick<InspectReport, 'resolved' | 'identity' | 'notes'>;
}): InspectReport {
  const { tools, origin } = found;
  const { shape, manifest, judgement, derived } = found.examined;
  const reasons = [...judgement.reasons, ...(found.reasons ?? [])];
  if (reasons.length === 0 && !tools?.length) reasons.push('it offers no tool');
  return {
    file: found.file,
    size: found.size,
    sha256: found.sha256,
    kind: shape.kind === 'module' ? 'module' : judgement.form === 'tools' ? 'plugin' : 'component',
    ...(manifest ? { name: manifest.name, version: manifest.version } : {}),
    ...(manifest && manifest.description !== derivedDescription
      ? { description: manifest.description }
      : {}),
    ...(manifest?.licence === undefined ? {} : { licence: manifest.licence }),
    ...(manifest?.homepage === undefined ? {} : { homepage: manifest.homepage }),
    ...origin,
    imports: judgement.imports,
    exports: judgement.exports,
    capabilities: judgement.capabilities,
    ...(manifest?.limits?.hostCalls === undefined ? {} : { hostCalls: manifest.limits.hostCalls }),
    tools: (tools ?? []).map(({ examples, ...tool }) => tool),
    derived: derived !== undefined && manifest?.tools === undefined,
    withheld: derived?.withheld ?? [],
    verdict: reasons.length === 0 ? 'installable' : 'refused',
    reasons,
  };
}
