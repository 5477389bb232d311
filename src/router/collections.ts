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
    pattern: String.raw`\b(?:process|import\.meta|Deno|Bun)\.env(?:\.(?:get\s*\(\s*["'])?\w|\[\s*["'\x60])|\bos\.environ(?:\.\w+)?\s*[([]\s*(?:f?["']|[A-Z_]{3,})|["']\s+(?:not\s+)?in\s+os\.environ|\bgetenv\s*\(\s*["']|\bos\.(?:Getenv|LookupEnv)\s*\(|\benv::vars?(?:_os)?\s*\(\s*["A-Z]|\b(?:option_)?env!\s*\(|\bENV(?:\.fetch\(|\[)\s*["']|\bSystem\.getenv\s*\(|\benvvar\s*=\s*["'\[]|\benv\s*=\s*"[A-Z]|["'\x60\s]env(?:config)?:"[A-Z]|\b[Bb]indEnv\s*\(|\benv(?:\.\w+)?\s*\(\s*["'][A-Z][A-Z0-9_]{2,}["']|@Value\s*\(\s*"\$\{|\bENV(?:IRON)?\[\s*["']`,
  },
  {
    of: 'routes',
    words: 'routes endpoints urls',
    also: 'http api web rest route',
    pattern: String.raw`(?<!\b(?:[cC]lient|https?|requests?|axios|[sS]ession|[uU]nirest|agent|api|page|fetcher|\$http|ky|got|superagent)(?:\(\w*\))?)\.(?:[Gg]et|GET|[Pp]ost|POST|[Pp]ut|PUT|[Pp]atch|PATCH|[Dd]elete|DELETE|[Rr]oute|all|[Oo]ptions|ws|sse|nest|Handle|HandleFunc)\s*\(\s*["'\x60][/{]|^\s*(?:get|post|put|patch|delete|options|head)\s*\(?\s*["']|^\s*resources?\s+:\w|^\s*@\w*\.?(?:route|get|post|put|patch|delete)\s*\(\s*["']|\bHandleFunc\s*\(|\.(?:Handle|HandlerFunc)\s*\(\s*["']|\bre_path\s*\(|^\s*(?:path|url)\s*\(\s*r?["']|@(?:Get|Post|Put|Delete|Patch|Request)Mapping\b|@(?:Get|Post|Put|Delete|Patch|Path)\s*\(|\badd_(?:resource|url_rule|route|api_route|websocket_route|get|post)\s*\(.*["']\S*/|\b(?:Route|Mount|WebSocketRoute)\s*\(\s*["']/|\b(?:web::(?:resource|scope)|[rR]oute)\(\s*&?(?:["'\x60\[/]|format!|\w+[,.])|#\[(?:get|post|put|delete|patch|head|route)\s*\(\s*"|<Route\b[^>]*\bpath=`,
  },
  {
    of: 'commands',
    words: 'commands subcommands',
    also: 'cli command line command-line sub',
    pattern: String.raw`\.command\s*\(\s*["'\x60]|@\w+\.command\b|\badd_parser\s*\(|&?cobra\.Command\s*\{|\bcli\.Command\s*\{|#\[derive\(.*\bSubcommand\b|\.subcommand\s*\(|\bCommand::new\s*\(\s*"|^\s*(?:pub )?enum\s+\w*(?:Command|Subcommand)s?\b|^\s*class\s+\w+Command\b`,
  },
  {
    of: 'options',
    words: 'options flags switches',
    also: 'cli command line command-line arguments option',
    pattern: String.raw`\.(?:option|requiredOption|addOption)\s*\(|\badd_argument\s*\(|@\w+\.option\s*\(|\b(?:p?flag\w*|fs|[fF]lags\(\))\.(?:String|Int|Uint|Bool|Duration|Float|Count|Var)\w*\s*\(|#\[(?:arg|clap|structopt)\(|\bArg::new\s*\(|\b(?:opts?|parser|op)\.on\s*\(?\s*["']|\bOption\.builder\s*\(|\bcli\.\w+Flag\s*\{`,
  },
  {
    of: 'entry points',
    words: 'entry entrypoint entrypoints execution main',
    also: 'point points start starts begin begins code programs lives',
    pattern: String.raw`^\s*func\s+main\s*\(\)|^\s*(?:pub\s+)?(?:async\s+)?fn\s+main\s*\(|^\s*if\s+__name__\s*==|^\s*int\s+main\s*\(|\bstatic\s+(?:async\s+)?(?:void|int|Task)\s+[Mm]ain\s*\(|^\s*fun\s+main\s*\(|^\s*"(?:bin|main|module)"\s*:|^\s*\[(?:project|tool\.poetry)\.scripts\]|\bconsole_scripts\b`,
  },
  {
    of: 'deprecated things',
    words: 'deprecated deprecations deprecation',
    also: 'functions methods classes things use uses warnings apis',
    pattern: String.raw`@[Dd]eprecated\b|#\[deprecated|\bDeprecated:|\b(?:Pending)?DeprecationWarning\b|\.\. deprecated::|\bdeprecate\w*\s*\(|\bwarn\w*[\s(].*deprecat`,
  },
  {
    of: 'tests',
    words: 'tests',
    also: 'unit cases test',
    pattern: String.raw`^\s*(?:it|test)(?:\.\w+)*\s*\(\s*["'\x60]|^\s*(?:async\s+)?def\s+test_?\w*|^func\s+(?:Test|Benchmark|Fuzz|Example)\w*\s*\(|#\[(?:tokio::)?test\]|^\s*@(?:Parameterized)?Test\b|^\s*(?:it|test|specify)\s+["'].*\bdo\s*$`,
  },
];
