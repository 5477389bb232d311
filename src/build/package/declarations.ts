import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

const importing = /(from\s+|import\(|import\s+)(['"])([^'"]+)\2/g;
const referencing = /<reference path=(['"])([^'"]+)\1/g;

/**
 * Writes the declarations that entries need, and no others: a compiler of a stranger reads them with
 * no package of ours around.
 *
 * @param options.root of the sources
 * @param options.entries each a `.ts` below it
 * @param options.out keeps the folders of the sources
 */
export function writeDeclarations(options: {
  root: string;
  entries: readonly string[];
  out: string;
}): void {
  const { root, entries, out } = options;
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-types-'));
  try {
    const args = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false'];
    const config = join(folder, 'tsconfig.json');
    const compilerOptions = {
      rootDir: root,
      outDir: folder,
      typeRoots: [join(root, 'node_modules/@types')],
    };
    const extended = join(root, 'tsconfig.json');
    writeFileSync(
      config,
      JSON.stringify({
        extends: extended,
        compilerOptions,
        // They declare modules that come without types.
        include: [join(root, 'src/packages/*.d.ts')],
        files: entries.map((entry) => join(root, entry)),
      }),
    );
    const tsc = join(root, 'node_modules/.bin/tsc');
    execFileSync(tsc, ['-p', config, ...args], { cwd: root, stdio: 'inherit' });
    rmSync(out, { recursive: true, force: true });
    const made = entries.map((entry) => entry.replace(/\.ts$/, '.d.ts'));
    copyReachable({ root, folder, out, entries: made });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Places = { root: string; folder: string; out: string; entries: readonly string[] };

function copyReachable({ root, folder, out, entries }: Places): void {
  const waiting = [...entries];
  const done = new Set<string>();
  for (const path of waiting) {
    if (done.has(path)) continue;
    done.add(path);
    // Files that are declarations already are not made again.
    const made = join(folder, path);
    const source = existsSync(made) ? made : join(root, path);
    const reach = (specifier: string): void => {
      const file = join(dirname(path), specifier).replace(/(?<!\.d)\.[jt]s$/, '.d.ts');
      waiting.push(file);
    };
    const text = readFileSync(source, 'utf8')
      // A project of somebody else may not have the types of Node.
      .replace(/\bBuffer(?:<ArrayBufferLike>|<ArrayBuffer>)?(?=[;,)>\s|[])/g, 'Uint8Array')
      .replace(importing, (all, before: string, quote: string, name: string) => {
        if (name === 'valibot') return `${before}${quote}${valibotFrom(path)}${quote}`;
        if (!name.startsWith('.')) return all;
        reach(name);
        return `${before}${quote}${name.replace(/(?:\.d)?\.ts$/, '.js')}${quote}`;
      })
      .replace(referencing, (_, quote: string, name: string) => {
        // The compiler writes it as it is seen from where it writes.
        const file = relative(root, resolve(dirname(source), name));
        waiting.push(file);
        return `<reference path=${quote}${relative(dirname(path), file)}${quote}`;
      });
    const target = join(out, path);
    mkdirSync(dirname(target), { recursive: true });
    // A compiler knows disposal only when it is named.
    const first = entries.includes(path) ? '/// <reference lib="esnext.disposable" />\n' : '';
    writeFileSync(target, first + text);
  }
  const types = join(root, 'node_modules/valibot/dist/index.d.mts');
  copyFileSync(types, join(out, 'valibot.d.mts'));
}

/** The schema library's declarations lie at the top. */
function valibotFrom(path: string): string {
  const up = relative(dirname(path), '.') || '.';
  return `${up}/valibot.mjs`;
}
