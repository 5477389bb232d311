import type { Reading } from '../contracts/intent.ts';
import { pathsIn } from '../lib/text/question-words.ts';

const list =
  /^\s*(?:please\s+)?(?:list|show|name|print|give|find|enumerate|what|which)(?: me)?(?: (?:are|is|all|the|of|every|our|possible|available|supported|custom))*\s+/i;

/** What can be listed, by the words for it and by the shape of the lines that hold it. */
const collections: readonly { of: string; words: RegExp; pattern: string }[] = [
  {
    of: 'errors and exceptions',
    words: /^(?:exceptions?|errors?|error (?:classes|types)|exception (?:classes|types))\b/i,
    pattern: String.raw`\bclass\s+\w*(?:Error|Exception|Warning)\w*\b|\bclass\s+\w+.*(?:\bextends|\(|:)\s*\w*(?:Error|Exception)\b|^\s*type\s+\w*Error\s+(?:struct|interface)\b|\b(?:enum|struct)\s+\w*Error\b|^\s*(?:var|const)?\s*Err[A-Z]\w*\s*=\s*(?:errors\.New|fmt\.Errorf)`,
  },
  {
    of: 'environment variables',
    words: /^(?:environment|env)(?: |-)?(?:variables?|vars?|settings?)\b/i,
    pattern: String.raw`\bprocess\.env\b|\bimport\.meta\.env\b|\bos\.environ\b|\bgetenv\s*\(|\bos\.(?:Getenv|LookupEnv)\s*\(|\benv::vars?(?:_os)?\s*\(|\benv!\s*\(|\bENV\[|\bSystem\.getenv\s*\(|\bDeno\.env\b`,
  },
  {
    of: 'routes',
    words: /^(?:http |api |web |rest )?(?:routes?|endpoints?|urls)\b/i,
    pattern: String.raw`\.(?:get|post|put|patch|delete|route|all|options)\s*\(\s*["'\x60]/|@\w*\.?(?:route|get|post|put|patch|delete)\s*\(\s*["']|\bHandleFunc\s*\(|\bre_path\s*\(|^\s*path\s*\(\s*["']|@(?:Get|Post|Put|Delete|Patch|Request)Mapping\b`,
  },
  {
    of: 'commands',
    words: /^(?:(?:sub|cli|command-?line) ?)?commands?\b/i,
    pattern: String.raw`\.command\s*\(\s*["'\x60]|@\w+\.command\b|\badd_parser\s*\(|&?cobra\.Command\s*\{|#\[derive\(.*\bSubcommand\b`,
  },
  {
    of: 'options',
    words: /^(?:(?:cli|command-?line) )?(?:options|flags|arguments|switches)\b/i,
    pattern: String.raw`\.(?:option|requiredOption|addOption)\s*\(|\badd_argument\s*\(|@\w+\.option\s*\(|\bflag\.(?:String|Int|Bool|Duration)\w*\s*\(|#\[arg\(`,
  },
];

/** `list all exceptions`, `which environment variables are read?`; undefined for other questions. */
export function readCollection(question: string): Reading | undefined {
  const head = list.exec(question)?.[0];
  if (head === undefined || question.length > 400) return undefined;
  const rest = question.slice(head.length);
  const found = collections.find(({ words }) => words.test(rest));
  if (found === undefined) return undefined;
  const behind = rest.replace(found.words, '');
  // More words ask for some of them: `which errors are thrown when a file is missing?`
  if (
    !/^\s*(?:(?:that )?(?:are|is|does|do|can|we|it|there|you|this|the|have|has|read|used|use|set|defined|thrown|raised|as|classes|project|known|in|of|below|under)\s*|[\w./-]+\/[\w./-]*\s*|[?.!]\s*)*$/i.test(
      behind,
    )
  )
    return undefined;
  const [path] = pathsIn(question).filter((each) => !each.includes('*'));
  const { of, pattern } = found;
  return { kind: 'collection', of, pattern, ...(path === undefined ? {} : { path }) };
}
