import type { PluginIdentity } from '../../../contracts/plugins/plugin-identity.ts';
import type { Effect, JsonObject } from '../../../contracts/tool.ts';
import type { Examined } from '../examine-plugin.ts';
import { derivedDescription } from './derive-manifest.ts';
import type { LabelCapability } from './judge-component.ts';
import type { ToolDescription } from './parse-describe.ts';

/** What `cuervo plugin inspect FILE --json` prints. */
export type InspectReport = {
  /** as the person named it */
  file: string;
  /** bytes */
  size: number;
  /** hex */
  sha256: string;
  /** `plugin`: a component that exports tools; `component`: any other, WIT packages included */
  kind: 'plugin' | 'component' | 'module';
  name?: string;
  version?: string;
  /** strings of the binary, not escaped */
  imports: string[];
  exports: string[];
  capabilities: LabelCapability[];
  /** host calls of one call that it asks for, where that is more than is usual */
  hostCalls?: number;
  tools: {
    name: string;
    description: string;
    effect: Effect;
    inputSchema: JsonObject;
    outputSchema?: JsonObject;
  }[];
  /** true: it says nothing of itself, so tools and effects follow from its exports and imports */
  derived: boolean;
  /** exported functions that are not tools, and why, one sentence each */
  withheld: string[];
  /** in its author's words */
  description?: string;
  licence?: string;
  homepage?: string;
  /** exactly where it came from, where that is not the file */
  resolved?: string;
  /** who vouches for it, or `nobody`; absent where it was not looked for */
  identity?: PluginIdentity | 'nobody';
  /** signatures that do not hold, and the like; one sentence each */
  notes?: string[];
  /** what its process would be confined by here, beside WebAssembly; said by `inspect` alone */
  tier?: 'os' | 'process';
  verdict: 'installable' | 'refused';
  /** why it is refused, one sentence each */
  reasons: string[];
};

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
