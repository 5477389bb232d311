import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Functions = Record<string, string>;

/** As `wit-component` writes them into a WIT package. */
export type WitDocs = {
  worlds?: Record<string, { func_exports: Functions }>;
  interfaces?: Record<string, { funcs: Functions }>;
};

/**
 * The comments before the functions of an author's own WIT files. Toolchains leave them out of the
 * components that they make of it.
 *
 * @param folder `wit` of the plugin; what it depends on, in `deps`, is not the author's
 */
export function readWitDocs(folder: string): WitDocs {
  let files: string[];
  try {
    files = readdirSync(folder).filter((name) => name.endsWith('.wit'));
  } catch {
    return {};
  }
  const docs: WitDocs = {};
  for (const name of files) addDocs(readFileSync(join(folder, name), 'utf8'), docs);
  return docs;
}

const token =
  /\/\/\/[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\b(?:interface|world)\s+%?([a-zA-Z][\w-]*)\s*\{|(export\s+)?%?([a-zA-Z][\w-]*)\s*:\s*(?:async\s+)?func\b|[{};]/g;

/** Comments stand directly before what they are about; a `;` or a bracket ends their reach. */
function addDocs(text: string, docs: WitDocs): void {
  let comment: string[] = [];
  let depth = 0;
  let block: { kind: 'interface' | 'world'; name: string } | undefined;
  for (const [found, opened, exported, named] of text.matchAll(token)) {
    if (found.startsWith('///')) comment.push(found.slice(3).trim());
    else if (found.startsWith('/**')) comment = blockLines(found);
    else if (found.startsWith('//') || found.startsWith('/*')) continue;
    else if (opened !== undefined) {
      depth += 1;
      block = { kind: found.startsWith('world') ? 'world' : 'interface', name: opened };
      comment = [];
    } else if (named !== undefined) {
      const said = comment.join('\n').trim();
      if (block !== undefined && said !== '' && depth === 1)
        keep(docs, { ...block, named, said, isExported: exported !== undefined });
      comment = [];
    } else {
      if (found === '{') depth += 1;
      if (found === '}') depth -= 1;
      comment = [];
    }
  }
}

function keep(
  docs: WitDocs,
  found: {
    kind: 'interface' | 'world';
    name: string;
    named: string;
    said: string;
    isExported: boolean;
  },
): void {
  const { kind, name, named, said } = found;
  if (kind === 'interface') {
    docs.interfaces ??= {};
    docs.interfaces[name] ??= { funcs: {} };
    docs.interfaces[name].funcs[named] = said;
  } else if (found.isExported) {
    docs.worlds ??= {};
    docs.worlds[name] ??= { func_exports: {} };
    docs.worlds[name].func_exports[named] = said;
  }
}

function blockLines(text: string): string[] {
  return text
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd());
}
