import type { CapabilityName, Manifest } from '../../contracts/capability.ts';
import { capabilityNames } from '../../contracts/capability.ts';
import { manifestSectionName } from './parse-manifest.ts';
import { quoteText } from './printable.ts';
import type { BinaryItem, BinaryShape } from './read-component.ts';

/** The interface that makes a component a plugin. */
const toolsInterface = 'cuervo:plugin/tools@0.1.0';
const hostPackage = 'cuervo:host';
const servedVersion = '0.1.0';

/** A capability as labels show it; `network` appears there and cannot be granted. */
export type LabelCapability = { capability: CapabilityName | 'network'; why?: string };

export type Judgement = {
  imports: string[];
  exports: string[];
  /** what the import section could reach, in the order of the imports */
  capabilities: LabelCapability[];
  /** why it is refused, one sentence each; empty when it can be installed */
  reasons: string[];
};

/** What each package of WASI would need here; the rest of WASI needs nothing of ours. */
const wasiCapabilities: Readonly<Record<string, readonly LabelCapability['capability'][]>> = {
  filesystem: ['fs', 'fs-write'],
  http: ['http'],
  sockets: ['network'],
  clocks: ['clock'],
  random: ['random'],
  keyvalue: ['kv'],
  logging: ['log'],
};

const interfaceName =
  /^([a-z][a-z0-9]*(?:-[a-z0-9]+)*):([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\/([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?:@(\d+\.\d+\.\d+(?:-[0-9a-zA-Z.-]+)?(?:\+[0-9a-zA-Z.-]+)?))?$/;
const plainName = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * What an untrusted binary could do and whether it may be installed, from its import and export
 * sections and its manifest alone. Pure.
 *
 * @param manifest undefined when the binary has none or `shape` is no component
 */
export function judgeComponent(shape: BinaryShape, manifest: Manifest | undefined): Judgement {
  const imports = shape.imports.map(({ name }) => name);
  const exports = shape.exports.map(({ name }) => name);
  const impossible = wrongKind(shape);
  if (impossible) return { imports, exports, capabilities: [], reasons: [impossible] };

  const found = new Map<LabelCapability['capability'], LabelCapability>();
  const imported = new Set<CapabilityName>();
  const reasons: string[] = [];
  const wasi: WasiImport[] = [];
  for (const item of shape.imports) {
    const { capabilities, reason, served, wasi: ofWasi } = judgeImport(item);
    if (reason) reasons.push(reason);
    if (ofWasi) wasi.push(ofWasi);
    if (served) imported.add(served);
    for (const capability of capabilities) {
      const why = manifest?.wants.find((want) => want.capability === capability)?.why;
      found.set(capability, { capability, ...(why === undefined ? {} : { why }) });
    }
  }
  reasons.push(
    ...wasiReasons(wasi),
    ...repeated(imports, 'imports'),
    ...judgeExports(shape.exports),
  );
  reasons.push(...judgeManifest(shape, manifest, imported));
  for (const repeat of shape.repeats) {
    reasons.push(`${repeat}, so that its memory could not be bounded`);
  }
  return { imports, exports, capabilities: [...found.values()], reasons };
}

function wrongKind(shape: BinaryShape): string | undefined {
  if (shape.kind === 'module') {
    return (
      'it is a core module, not a component: its imports do not say what it can do; ' +
      'build it as a component (cuervo plugin build, or wasm-tools component new)'
    );
  }
  if (shape.kind === 'wit-package') {
    return 'it is a WIT package encoded as a component: it describes interfaces and holds no code to run';
  }
  return undefined;
}

type WasiImport = { packageName: string; name: string; version: string | undefined };

type ImportJudgement = {
  capabilities: readonly LabelCapability['capability'][];
  reason?: string;
  /** the capability, when this version knows the interface */
  served?: CapabilityName;
  wasi?: WasiImport;
};

function judgeImport({ name, kind }: BinaryItem): ImportJudgement {
  const parts = interfaceName.exec(name);
  if (!parts) {
    const reason = plainName.test(name)
      ? `it imports ${name}, which is no interface of cuervo:host`
      : `it imports ${quoteText(name)}, which is no plain namespace:package/interface@version`;
    return { capabilities: [], reason };
  }
  const [, namespace, packageName, interfaceOf, version] = parts;
  if (namespace === 'wasi') {
    const capabilities = wasiCapabilities[packageName ?? ''] ?? [];
    return { capabilities, wasi: { packageName: packageName ?? '', name, version } };
  }
  if (`${namespace}:${packageName}` !== hostPackage) {
    return { capabilities: [], reason: `it imports ${name}, which cuervo does not offer` };
  }
  const capability = capabilityNames.find((known) => known === interfaceOf);
  const capabilities = capability ? [capability] : [];
  if (!capability && interfaceOf !== 'types') {
    return {
      capabilities,
      reason: `it imports ${name}, an interface that cuervo:host does not have`,
    };
  }
  if (version !== servedVersion) {
    const offered = `${hostPackage}/${interfaceOf}@${servedVersion}`;
    return { capabilities, reason: `it imports ${name}, and this version offers ${offered}` };
  }
  if (kind !== 'instance') {
    return { capabilities, reason: `it imports ${name} as a ${kind}, and it is an interface` };
  }
  return { capabilities, ...(capability ? { served: capability } : {}) };
}

/** One sentence for each package of WASI: there are 25 interfaces, and a person has to read it. */
function wasiReasons(imports: readonly WasiImport[]): string[] {
  const packages = Map.groupBy(imports, ({ packageName, version }) => {
    const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
    return `${packageName} ${major > 0 || minor >= 3 ? 'new' : 'old'}`;
  });
  return [...packages].map(([key, members]) => {
    const [packageName, age] = key.split(' ');
    const names = members.map(({ name }) => name).join(', ');
    const meaning = packageName === 'sockets' ? ' (network)' : '';
    const verb = members.length === 1 ? 'is' : 'are';
    return age === 'new'
      ? `it imports ${names}${meaning} of WASI 0.3, which this version does not support`
      : `it imports ${names}${meaning}, which ${verb} not served by this version`;
  });
}

function judgeExports(items: readonly BinaryItem[]): string[] {
  const names = items.map(({ name }) => name);
  const reasons = repeated(names, 'exports');
  const tools = items.find(({ name }) => name === toolsInterface);
  if (tools && tools.kind !== 'instance') {
    reasons.push(`it exports ${toolsInterface} as a ${tools.kind}, and it is an interface`);
  }
  if (!tools) {
    const other = names.find((name) => name.startsWith('cuervo:plugin/tools'));
    const instead = other ? ` (it exports ${quoteText(other)})` : '';
    reasons.push(`it does not export ${toolsInterface}, so it offers no tool${instead}`);
  }
  for (const name of names) {
    const last = interfaceName.exec(name)?.[3];
    if (!last && !plainName.test(name)) {
      reasons.push(`it exports ${quoteText(name)}, which is no plain name`);
    } else if (name !== toolsInterface && meansSomething(last ?? name)) {
      reasons.push(`it exports ${name}, a name that means something to the JavaScript around it`);
    }
  }
  return reasons;
}

/**
 * Glue code binds an export under its name in camel case. `then` would make the whole instance
 * look like a promise, names of `Object.prototype` would stand in for the host's own calls, and a
 * second `tools` would hide the one that counts.
 */
function meansSomething(label: string): boolean {
  const bound = label.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return ['then', 'catch', 'finally', 'default', 'tools', 'toJSON', 'toJson'].includes(bound)
    ? true
    : bound in Object.prototype;
}

function judgeManifest(
  shape: BinaryShape,
  manifest: Manifest | undefined,
  imported: ReadonlySet<CapabilityName>,
): string[] {
  const sections = shape.customSections.filter(({ name }) => name === manifestSectionName);
  if (sections.length > 1) {
    return [
      `it has ${sections.length} manifests (sections ${manifestSectionName}), and one counts`,
    ];
  }
  if (sections.length === 0 || !manifest) {
    return [`it has no manifest (section ${manifestSectionName}): cuervo plugin build writes one`];
  }
  const wanted = new Set(manifest.wants.map(({ capability }) => capability));
  const reasons: string[] = [];
  for (const capability of wanted) {
    if (!imported.has(capability)) {
      reasons.push(`its manifest wants ${capability}, which the binary does not import`);
    }
  }
  for (const capability of imported) {
    if (!wanted.has(capability)) {
      reasons.push(`it imports ${capability}, which its manifest does not declare`);
    }
  }
  return reasons;
}

function repeated(names: readonly string[], verb: string): string[] {
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...twice].map((name) => `it ${verb} ${quoteText(name)} more than once`);
}
