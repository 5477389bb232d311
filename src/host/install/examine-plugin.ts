import type { Manifest } from '../../contracts/capability.ts';
import { KernelError } from '../../contracts/error.ts';
import { quoteText } from '../../lib/text/printable.ts';
import type { ProcessSandbox } from '../../sandbox/process-sandbox.ts';
import type { HostLimits } from '../limits.ts';
import { actProvider, readActManifest } from './component/act-tools.ts';
import { withAdvice } from './component/advice.ts';
import { howToRun, unsupported } from './component/component-externs.ts';
import { pageBytes } from './component/core-module.ts';
import { type Judgement, judgeComponent } from './component/judge-component.ts';
import { leaveRoom } from './component/leave-room.ts';
import {
  type DerivedTools,
  deriveManifest,
  deriveTools,
  wholeTools,
  withManifestTools,
} from './component/manifest-tools.ts';
import type { ToolDescription } from './component/parse-describe.ts';
import { manifestSectionName, parseManifest } from './component/parse-manifest.ts';
import { type BinaryShape, readBinary } from './component/read-component.ts';
import { readFunctions } from './component/read-functions.ts';
import { readMetadata, readWitDocs } from './component/read-metadata.ts';
import { adapterFor, wrapModule } from './transpile/transpile-component.ts';

export type Bundles = {
  /** built bundle of the plugin process */
  process: string;
  transpile: string;
  /** built bundle of the process that makes components of WASI preview-1 modules */
  wrap: string;
};

export type PrepareOptions = {
  bundles: Bundles;
  limits: HostLimits;
  sandbox: ProcessSandbox;
  signal: AbortSignal;
};

/** Facts from the bytes alone; no code of the plugin has run. */
export type Examined = {
  shape: BinaryShape;
  /** of the binary, or derived from its file and imports; undefined when it is refused */
  manifest: Manifest | undefined;
  judgement: Judgement;
  /** what is transpiled: the bytes, or the component that was made of a module */
  component: Uint8Array;
  /** of a component that offers functions instead of `cuervo:plugin/tools` */
  derived?: DerivedTools;
  /** of a component of Agent Component Tools: its exported interface, which is asked for the tools */
  act?: string;
  /** of a manifest that describes the tools in place of `describe()` */
  told?: readonly ToolDescription[];
};

/**
 * Decodes a binary and its manifest and judges them. A WASI preview-1 module is first made into a
 * component, in a process of its own.
 *
 * @param file its path or name; a binary without a manifest is named after it
 * @throws {KernelError} `plugin-fault` when the file is not WebAssembly at all or malformed
 */
export async function examinePlugin(
  bytes: Uint8Array,
  file: string,
  options: PrepareOptions,
): Promise<Examined> {
  const { judgement, derived, ...examined } = await examine(bytes, file, options);
  return {
    ...examined,
    judgement: { ...judgement, reasons: judgement.reasons.map(withAdvice) },
    ...(derived && { derived: { ...derived, withheld: derived.withheld.map(withAdvice) } }),
  };
}

async function examine(
  bytes: Uint8Array,
  file: string,
  options: PrepareOptions,
): Promise<Examined> {
  const shape = readBinary(bytes);
  const adapter = adapterFor(shape);
  if (adapter === undefined) return examineComponent(shape, bytes, file);
  const plain = judgeComponent(shape, undefined);
  let component: Uint8Array;
  try {
    const maxPages = Math.floor(options.limits.maxMemoryBytes / pageBytes);
    component = await wrapModule(leaveRoom(bytes, maxPages), adapter, {
      bundle: options.bundles.wrap,
      confine: options.sandbox.confine,
      timeoutMs: options.limits.transpileTimeoutMs,
      signal: options.signal,
    });
  } catch (thrown) {
    const error = KernelError.from(thrown, 'internal');
    if (error.code !== 'plugin-fault' && error.code !== 'deadline-exceeded') throw error;
    return refused({ shape, judgement: plain, component: bytes }, error.message);
  }
  // Its manifest lies in the module: the component was made around it.
  const { customSections } = shape;
  const made = { ...readBinary(component), customSections };
  const examined = examineComponent(made, component, file, bytes);
  const untyped = adapter === 'reactor' ? untypedExports(shape, examined) : [];
  if (untyped.length > 0) examined.judgement.reasons = untyped;
  const { imports, exports } = plain;
  // A person asked about the module: it is shown with its own imports and exports.
  return { ...examined, shape, judgement: { ...examined.judgement, imports, exports } };
}

/** Why a library offers nothing: its functions are there, but their types are unknown. */
function untypedExports({ exports }: BinaryShape, { derived }: Examined): string[] {
  const names = exports.flatMap(({ name, kind }) =>
    kind === 'func' && name !== '_initialize' ? [quoteText(name)] : [],
  );
  if (derived === undefined || derived.tools.length > 0 || names.length === 0) return [];
  if (derived.reasons.length > 0) return [];
  const shown = names.slice(0, 3).join(', ');
  const others = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return [
    `it is a core module that exports ${shown}${others} without their types; ` +
      'put these into it (wasm-tools component embed), or build it as a component',
  ];
}

/** @param described holds the sections of `shape` */
function examineComponent(
  shape: BinaryShape,
  bytes: Uint8Array,
  file: string,
  described = bytes,
): Examined {
  const none = { shape, component: bytes, judgement: judgeComponent(shape, undefined) };
  const sections = shape.customSections.filter(({ name }) => name === manifestSectionName);
  const [section] = sections;
  try {
    const act = actProvider(shape.exports);
    const packed = act === undefined ? undefined : readActManifest(shape, described, file);
    const own =
      section === undefined || sections.length > 1
        ? packed
        : parseManifest(described.subarray(section.offset, section.offset + section.length));
    const judgement = judgeComponent(shape, own);
    const examined = { shape, judgement, component: bytes };
    if (judgement.reasons.length > 0) return { ...examined, manifest: own };
    const manifest =
      own === undefined
        ? { ...deriveManifest(file, judgement.wants), ...readMetadata(shape, described) }
        : { ...own, wants: judgement.wants };
    if (judgement.form === 'act' && act !== undefined) {
      // For what it refuses: the types are those of the interface.
      readFunctions(bytes);
      return { ...examined, manifest, act };
    }
    if (judgement.form === 'tools') {
      const told = manifest.tools === undefined ? {} : { told: wholeTools(manifest.tools) };
      return { ...examined, manifest, ...told };
    }
    const exported = deriveTools(readFunctions(bytes), {
      effect: judgement.effect,
      program: manifest.name,
      docs: readWitDocs(shape, described),
    });
    const { tools } = manifest;
    const derived = tools === undefined ? exported : withManifestTools(exported, tools);
    const nothing = derived.tools.length === 0 ? [nothingOffered(derived)] : [];
    const reasons = [...derived.reasons, ...nothing];
    return { ...examined, judgement: { ...judgement, reasons }, manifest, derived };
  } catch (thrown) {
    const error = KernelError.from(thrown, 'internal');
    if (error.code !== 'plugin-fault') throw error;
    const isBuiltIn = error.message.startsWith(unsupported);
    const next = isBuiltIn ? `; ${howToRun(shape, bytes)}` : '';
    return refused(none, `${error.message}${next}`);
  }
}

function refused(found: Omit<Examined, 'manifest'>, reason: string): Examined {
  return { ...found, manifest: undefined, judgement: { ...found.judgement, reasons: [reason] } };
}

function nothingOffered({ withheld }: DerivedTools): string {
  if (withheld.length === 0) {
    return 'it exports neither cuervo:plugin/tools@0.1.0 nor a function, so it offers no tool';
  }
  const told = withheld.slice(0, 5).map(withAdvice).join('; ');
  return `it exports no function that could be a tool: ${told}`;
}
