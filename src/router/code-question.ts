import type { OutlineKind, StructureReading } from '../contracts/intent.ts';
import { identifiersIn, pathsIn } from '../lib/text/words.ts';
import { isFile } from './word-bag.ts';

const uses =
  /^\s*(?:(?:please\s+)?(?:show|list|find|give)(?: me)?\b.*\b(?:callers|usages|uses|references|call sites)\b|(?:who|what|which \w+)\s+(?:else\s+)?(?:calls?|uses?|references?|invokes?|depends? on)\b|where (?:is|are|do we|does anything)\b.*\b(?:used|called|referenced|invoked|use|call)\b|(?:callers|usages|uses|references) (?:of|to)\b)/i;
const importedBy =
  /^\s*(?:(?:who|what|which \w+)\s+(?:else\s+)?(?:imports?|includes?|requires?|depends? on|uses?)\b|.*\b(?:dependents|importers) of\b|where is\b.*\bimported\b)/i;
const imports =
  /^\s*(?:what|which \w+)\s+(?:does|do|is|are)\b.*\b(?:import|imports|imported by|include|require|depend on)\b|\b(?:dependencies|imports) of\b/i;
const complexity =
  /^\s*(?:please\s+)?(?:(?:show|list|find|give)(?: me)?|what(?:'s| is| are)?|which)\b.*\b(?:most complex|most complicated|longest|hardest(?: to read)?|deepest|highest (?:cyclomatic )?complexity)\b.*\b(?:functions?|methods?|code)\b|\bcyclomatic\b|\b(?:functions?|methods?)\b.*\b(?:most complex|too complex|longest|hardest to read)\b/i;

const outline =
  /^\s*(?:please\s+)?(?:(?:(?:list|show|name|print|give|what|which)(?: me)?(?: (?:are|is))?(?: (?:all|the|of|exported|public|private|main))* (function|method|class|struct|interface|type|enum|constant|definition|symbol|export)e?s .*\b(?:in|of|from|by|has|have|does)\b)|(?:show |print |give )?(?:me )?(?:an? |the )?outline (?:of )?|what is (?:defined|declared|exported) (?:in|by|from)\b|what does\b.*\b(?:define|export|declare)\s*[?.!]*$)/i;
const outlined: Readonly<Record<string, OutlineKind>> = {
  function: 'function',
  method: 'function',
  class: 'class',
  struct: 'struct',
  interface: 'interface',
  type: 'type',
  enum: 'enum',
  constant: 'constant',
};

/** By rules on its words; undefined for what asks no such thing. */
export function readStructure(question: string): StructureReading | undefined {
  if (question.length > 400) return undefined;
  const [path] = pathsIn(question).filter(
    (found) => !found.includes('*') && (found.includes('/') || isFile(found)),
  );
  // `include/a.h` asks for no includes.
  const asked = path === undefined ? question : question.replace(path, 'a.b');
  if (complexity.test(asked))
    return {
      kind: 'complexity',
      ...(path === undefined ? {} : { path }),
      ...(/\blongest\b/i.test(question) ? { by: 'lines' } : {}),
    };
  if (path !== undefined) {
    const shape = outline.exec(asked);
    if (shape !== null && identifiersIn(question).length === 0) {
      const defines = outlined[shape[1]?.toLowerCase() ?? ''];
      return { kind: 'outline', path, ...(defines === undefined ? {} : { defines }) };
    }
    if (imports.test(asked) && isFile(path)) return { kind: 'imports', path, direction: 'imports' };
    // A package or a folder is imported by its path.
    if (importedBy.test(asked) && !isFile(path) && !/\bpackages?\b.*\bdepends?\b/i.test(asked))
      return { kind: 'references', name: path, only: 'imports' };
    return importedBy.test(asked) && isFile(path)
      ? { kind: 'imports', path, direction: 'importedBy' }
      : undefined;
  }
  const [name, ...others] = identifiersIn(question);
  if (name === undefined || others.length > 0 || !uses.test(question)) return undefined;
  return { kind: 'references', name };
}
