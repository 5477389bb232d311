import satisfies from 'semver/functions/satisfies.js';
import {
  type CapabilityName,
  effectOf,
  greatestEffect,
  isCapability,
  type Unheld,
} from '../../../contracts/capabilities.ts';
import type { Manifest, Want } from '../../../contracts/capability.ts';
import type { Effect } from '../../../contracts/tool.ts';
import { quoteText } from '../../../lib/text/printable.ts';
import { actProblem, actProvider } from './act-tools.ts';
import { isPreviewOne } from './component-externs.ts';
import { moduleMaker } from './core-module.ts';
import { judgeWasi, type WasiImport } from './judge-wasi.ts';
import { manifestSectionName } from './parse-manifest.ts';
import type { BinaryItem, BinaryShape } from './read-component.ts';

/** The interface that makes a component a plugin. */
const toolsInterface = 'cuervo:plugin/tools';
const hostPackage = 'cuervo:host';
/** The version of `wit/`. Older ones that it is compatible with lie frozen beside it. */
const servedVersion = '0.1.0';

/** Whether what was made for a version of our WIT finds here all that it knows: see semver's `^`. */
function isServed(version: string | undefined): boolean {
  return version !== undefined && !version.includes('-') && satisfies(servedVersion, `^${version}`);
}

/** A capability as labels show it; `network` appears there and cannot be granted. */
export type LabelCapability = {
  capability: CapabilityName | Unheld;
  why?: string;
  /** whose words `why` is: the author's in the manifest, or ours about the imports */
  by?: 'author' | 'imports';
};

export type Judgement = {
  imports: string[];
  exports: string[];
  /** what the import section could reach, in the order of the imports */
  capabilities: LabelCapability[];
  /**
   * How it is called: by its own `tools`, or those of Agent Component Tools, or else by the functions
   * that it exports. A program exports one function, `run`.
   */
  form: 'tools' | 'act' | 'functions';
  /** what any function of it can do at most, as its imports say */
  effect: Effect;
  /** what it wants: of its manifest, and what it imports of WASI or without a manifest */
  wants: Want[];
  /** why it is refused, one sentence each; empty when it can be installed */
  reasons: string[];
};

/** A name of WIT: words of small letters or of capitals. */
const label = '(?:[a-z][a-z0-9]*|[A-Z][A-Z0-9]*)(?:-(?:[a-z0-9]+|[0-9]*[A-Z][A-Z0-9]*))*';
const version = '\\d+\\.\\d+\\.\\d+(?:-[0-9a-zA-Z.-]+)?(?:\\+[0-9a-zA-Z.-]+)?';
const interfaceName = new RegExp(`^(${label}):(${label})/(${label})(?:@(${version}))?$`);
const plainName = new RegExp(`^${label}$`);

/**
 * What an untrusted binary could do and whether it may be installed, judged by its import and
 * export sections and its manifest. Pure.
 *
 * @param manifest undefined when the binary has none or `shape` is not a component
 */
export function judgeComponent(shape: BinaryShape, manifest: Manifest | undefined): Judgement {
  const imports = shape.imports.map(({ name }) => name);
  const exports = shape.exports.map(({ name }) => name);
  const others = actProvider(shape.exports) === undefined ? 'functions' : 'act';
  const form = exports.some((name) => name.startsWith(toolsInterface)) ? 'tools' : others;
  const said = { imports, exports, form } as const;
  const impossible = wrongKind(shape);
  if (impossible) {
    return { ...said, capabilities: [], effect: 'pure', wants: [], reasons: [impossible] };
  }
  const imported = shape.imports.map((item) => ({ name: item.name, ...judgeImport(item) }));
  const own = new Set(imported.flatMap(({ served }) => served ?? []));
  const reachable = labelled(imported, manifest);
  const capabilities = wantedOf(reachable, manifest);
  const reasons = [
    ...imported.flatMap(({ reason }) => reason ?? []),
    ...wasiReasons(imported.flatMap(({ name, wasi }) => (wasi?.problem ? { name, ...wasi } : []))),
    ...repeated(imports, 'imports'),
    ...judgeExports(shape.exports, form),
    ...judgeManifest(shape, manifest, own, reachable),
    ...shape.repeats.map((repeat) => `${repeat}, so its memory cannot be limited`),
  ];
  // The least effect that covers all of them.
  const effect = greatestEffect(capabilities.map(({ capability }) => effectOf(capability)));
  return { ...said, capabilities, effect, wants: wantsOf(capabilities), reasons };
}

/** Everything that the imports could reach, in their order, each with its reasons. */
function labelled(
  imported: readonly (ImportJudgement & { name: string })[],
  manifest: Manifest | undefined,
): LabelCapability[] {
  const names = new Map<LabelCapability['capability'], string>();
  for (const { name, capabilities } of imported) {
    const short = name.replace(/@.*$/, '');
    for (const capability of capabilities) {
      // One word for all interfaces of a package: they come together.
      const known = names.get(capability);
      if (known === undefined) names.set(capability, short);
      else if (known !== short) names.set(capability, short.replace(/\/.*$/, ''));
    }
  }
  return [...names].map(([capability, name]) => {
    const why = manifest?.wants.find((want) => want.capability === capability)?.why;
    if (why !== undefined) return { capability, why, by: 'author' };
    const derived = manifest === undefined || name.startsWith('wasi:');
    return derived ? { capability, why: `imports ${name}`, by: 'imports' } : { capability };
  });
}

/**
 * A manifest that names the tools is a whole word: interfaces of WASI that it does not want are
 * shut. Toolchains import them whether or not a program uses them.
 */
function wantedOf(
  reachable: readonly LabelCapability[],
  manifest: Manifest | undefined,
): LabelCapability[] {
  if (manifest?.tools === undefined) return [...reachable];
  const wanted = new Set<string>(manifest.wants.map(({ capability }) => capability));
  return reachable.filter(({ capability }) => capability === 'network' || wanted.has(capability));
}

function wantsOf(capabilities: readonly LabelCapability[]): Want[] {
  return capabilities.flatMap(({ capability, why = '' }) =>
    capability === 'network' ? [] : [{ capability, why }],
  );
}

function wrongKind(shape: BinaryShape): string | undefined {
  if (shape.kind === 'module') {
    const strange = shape.imports.flatMap(({ name }) => (isPreviewOne(name) ? [] : [name]));
    const [first] = strange;
    const others = strange.length > 1 ? ` and ${strange.length - 1} more` : '';
    const maker = moduleMaker(strange);
    const what = maker === undefined ? '' : `: ${maker.what}`;
    const why =
      first === undefined
        ? ': its imports do not say what it can do'
        : `, and imports ${quoteText(first)}${others}, which WASI preview 1 does not have${what}`;
    const component = 'build it as a component (cuervo plugin build, or wasm-tools component new)';
    return `it is a core module, not a component${why}; ${maker?.how ?? component}`;
  }
  if (shape.kind === 'wit-package') {
    return 'it is a WIT package encoded as a component: it describes interfaces and holds no code to run';
  }
  return undefined;
}

type ImportJudgement = {
  capabilities: readonly LabelCapability['capability'][];
  reason?: string;
  /** the capability, when this version knows the interface */
  served?: CapabilityName;
  wasi?: WasiImport & { problem?: string };
};

function judgeImport({ name, kind, typesOnly }: BinaryItem): ImportJudgement {
  const parts = interfaceName.exec(name);
  if (!parts) {
    if (typesOnly && plainName.test(name)) return { capabilities: [] };
    return { capabilities: [], reason: oddImport(name) };
  }
  const [, namespace, packageName, interfaceOf = '', version] = parts;
  if (namespace === 'wasi') {
    const wasi = { packageName: packageName ?? '', interfaceOf, version };
    const { capabilities, problem } = judgeWasi(wasi);
    if (problem !== undefined) return { capabilities, wasi: { ...wasi, problem } };
    if (kind === 'instance') return { capabilities };
    return { capabilities, reason: `it imports ${name} as a ${kind}, but that is an interface` };
  }
  if (`${namespace}:${packageName}` !== hostPackage) {
    // Types that its functions speak of: there is nothing that anybody would have to serve.
    if (typesOnly) return { capabilities: [] };
    const problem = actProblem(name);
    const why = problem === undefined ? ', which cuervo does not offer' : `: ${problem}`;
    return { capabilities: [], reason: `it imports ${name}${why}` };
  }
  const capability = isCapability(interfaceOf) ? interfaceOf : undefined;
  const capabilities = capability ? [capability] : [];
  if (!capability && interfaceOf !== 'types') {
    return {
      capabilities,
      reason: `it imports ${name}, an interface that cuervo:host does not have`,
    };
  }
  if (!isServed(version)) {
    const offered = `${hostPackage}/${interfaceOf}@${servedVersion}`;
    return { capabilities, reason: `it imports ${name}, but this version offers ${offered}` };
  }
  if (kind !== 'instance') {
    return { capabilities, reason: `it imports ${name} as a ${kind}, but that is an interface` };
  }
  return { capabilities, ...(capability ? { served: capability } : {}) };
}

function oddImport(name: string): string {
  if (plainName.test(name)) return `it imports ${name}, which is not an interface of cuervo:host`;
  if (/^\[(?:constructor|method|static)\]/.test(name)) {
    return `it imports ${quoteText(name)}, a function of a resource, which cuervo does not offer`;
  }
  return `it imports ${quoteText(name)}, which is not a plain namespace:package/interface@version`;
}

/** One sentence for each package of WASI: a person cannot read 25 interfaces. */
function wasiReasons(
  imports: readonly (WasiImport & { name: string; problem?: string })[],
): string[] {
  const packages = Map.groupBy(imports, ({ packageName, problem }) => `${packageName} ${problem}`);
  return [...packages.values()].map((members) => {
    const names = members.map(({ name }) => name).join(', ');
    const problem = members[0]?.problem ?? '';
    const told = members.length === 1 ? problem : problem.replace(/^which is/, 'which are');
    return `it imports ${names}${told.startsWith('which') ? ',' : ''} ${told}`;
  });
}

function judgeExports(items: readonly BinaryItem[], form: Judgement['form']): string[] {
  const names = items.map(({ name }) => name);
  const reasons = repeated(names, 'exports');
  const tools = items.find(({ name }) => {
    const [interfaceOf, version] = name.split('@');
    return interfaceOf === toolsInterface && isServed(version);
  });
  if (tools && tools.kind !== 'instance') {
    reasons.push(`it exports ${tools.name} as a ${tools.kind}, but that is an interface`);
  }
  if (!tools && form === 'tools') {
    const other = names.find((name) => name.startsWith(toolsInterface)) ?? '';
    const offered = `${toolsInterface}@${servedVersion}`;
    reasons.push(`it does not export ${offered} (it exports ${quoteText(other)})`);
  }
  for (const name of names) {
    if (!interfaceName.test(name) && !plainName.test(name)) {
      reasons.push(`it exports ${quoteText(name)}, which is not a plain name`);
    }
    const problem = actProblem(name);
    if (problem !== undefined) reasons.push(`it exports ${name}: ${problem}`);
  }
  return reasons;
}

function judgeManifest(
  shape: BinaryShape,
  manifest: Manifest | undefined,
  imported: ReadonlySet<CapabilityName>,
  reachable: readonly LabelCapability[],
): string[] {
  const sections = shape.customSections.filter(({ name }) => name === manifestSectionName);
  if (sections.length > 1) {
    return [
      `it has ${sections.length} manifests (sections ${manifestSectionName}), but only one is allowed`,
    ];
  }
  // A stranger's: its name is that of the file, and it wants what it imports.
  if (sections.length === 0 || !manifest) return [];
  const wanted = new Set(manifest.wants.map(({ capability }) => capability));
  const reasons: string[] = [];
  for (const capability of wanted) {
    if (!reachable.some((each) => each.capability === capability)) {
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
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const name of names) (once.has(name) ? twice : once).add(name);
  return [...twice].map((name) => `it ${verb} ${quoteText(name)} more than once`);
}
