import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';

const manifest = v.object({
  repository: v.optional(v.union([v.string(), v.object({ url: v.string() })])),
});

/** `repository` of a package.json; undefined where there is none or nobody can read it. */
export function parseRepository(bytes: Uint8Array): string | undefined {
  try {
    const parsed = v.safeParse(manifest, JSON.parse(Buffer.from(bytes).toString('utf8')), {
      abortEarly: true,
    });
    const found = parsed.success ? parsed.output.repository : undefined;
    return typeof found === 'string' ? found : found?.url;
  } catch {
    return undefined;
  }
}

/** What is published: the binary, what it says of itself, and what lies beside it. */
export type Publishable = {
  name: string;
  version: string;
  description: string;
  licence?: string;
  homepage?: string;
  /** address of its repository; npm's provenance has to find it here */
  repository?: string;
  bytes: Buffer;
  imports: readonly string[];
  exports: readonly string[];
  /** a component, or a module of WASI preview 1 */
  kind: 'component' | 'module';
  /** files beside it, by the name in the package: its page, its licence, its signatures */
  beside: ReadonlyMap<string, Buffer>;
};

/**
 * The files of an npm package that holds a plugin and nothing that runs.
 *
 * @param packageName of npm, e.g. `@acme/csv-kit`
 */
export function npmPackage(plugin: Publishable, packageName: string): Map<string, Buffer> {
  const { name, version, description, licence, homepage, repository, bytes, beside } = plugin;
  const file = `${name}.wasm`;
  const json = {
    name: packageName,
    version,
    description,
    ...(licence === undefined ? {} : { license: licence }),
    ...(homepage === undefined ? {} : { homepage }),
    ...(repository === undefined ? {} : { repository: { type: 'git', url: gitUrl(repository) } }),
    keywords: ['cuervo-plugin', 'wasm', 'webassembly-component'],
    files: [file, ...beside.keys()],
    exports: { '.': `./${file}`, './package.json': './package.json' },
    cuervo: { plugin: file, sha256: createHash('sha256').update(bytes).digest('hex') },
  };
  return new Map([
    ['package.json', Buffer.from(`${JSON.stringify(json, null, 2)}\n`)],
    [file, bytes],
    ...beside,
  ]);
}

/** Npm compares it with what the provenance says: `git+https://….git`. */
function gitUrl(repository: string): string {
  const url = repository.replace(/^git\+/, '');
  return /^https:/.test(url) ? `git+${url.replace(/(?:\.git)?\/?$/, '')}.git` : url;
}

const name = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

export function checkPackageName(text: string): string {
  if (name.test(text) && text.length <= 214) return text;
  throw new KernelError(
    'invalid-argument',
    `${JSON.stringify(text)} is not the name of an npm package`,
    {
      hint: 'Use small letters, like npm:csv-kit or npm:@acme/csv-kit.',
    },
  );
}
