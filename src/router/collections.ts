/** What can be listed, by the words for it and by the shape of the lines that hold it. */
export const collections: readonly {
  of: string;
  words: string;
  also: string;
  pattern: string;
}[] = [
  {
    of: 'errors and exceptions',
    words: 'exceptions errors warnings',
    also: 'error exception classes',
    pattern: String.raw`\bclass\s+\w*(?:Error|Exception|Warning)\w*\b|\bclass\s+\w+.*(?:\bextends|\(|:)\s*\w*(?:Error|Exception)\b|^\s*type\s+\w*Error\s+(?:struct|interface)\b|\b(?:enum|struct)\s+\w*Error\b|^\s*(?:var|const)?\s*Err[A-Z]\w*\s*=\s*(?:errors\.New|fmt\.Errorf)`,
  },
  {
    of: 'environment variables',
    words: 'environment env envvar envvars',
    also: 'variables vars variable settings',
    pattern: String.raw`\b(?:process|import\.meta|Deno|Bun)\.env(?:\.(?:get\s*\(\s*["'])?\w|\[\s*["'\x60])|\bos\.environ(?:\.\w+)?\s*[([]\s*(?:f?["']|[A-Z_]{3,})|["']\s+(?:not\s+)?in\s+os\.environ|\bgetenv\s*\(\s*["']|\bos\.(?:Getenv|LookupEnv)\s*\(|\benv::vars?(?:_os)?\s*\(\s*["A-Z]|\b(?:option_)?env!\s*\(|\bENV(?:\.fetch\(|\[)\s*["']|\bSystem\.getenv\s*\(|\benvvar\s*=\s*["'\[]|\benv\s*=\s*"[A-Z]`,
  },
  {
    of: 'routes',
    words: 'routes endpoints urls',
    also: 'http api web rest route',
    pattern: String.raw`\.(?:get|post|put|patch|delete|route|all|options)\s*\(\s*["'\x60]/|@\w*\.?(?:route|get|post|put|patch|delete)\s*\(\s*["']|\bHandleFunc\s*\(|\bre_path\s*\(|^\s*path\s*\(\s*["']|@(?:Get|Post|Put|Delete|Patch|Request)Mapping\b`,
  },
  {
    of: 'commands',
    words: 'commands subcommands',
    also: 'cli command line command-line sub',
    pattern: String.raw`\.command\s*\(\s*["'\x60]|@\w+\.command\b|\badd_parser\s*\(|&?cobra\.Command\s*\{|#\[derive\(.*\bSubcommand\b`,
  },
  {
    of: 'options',
    words: 'options flags switches',
    also: 'cli command line command-line arguments option',
    pattern: String.raw`\.(?:option|requiredOption|addOption)\s*\(|\badd_argument\s*\(|@\w+\.option\s*\(|\bflag\.(?:String|Int|Bool|Duration)\w*\s*\(|#\[arg\(`,
  },
];
