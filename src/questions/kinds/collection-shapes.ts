/** What can be listed, by the words for it and by the shape of the lines that hold it. */
export type Collection = {
  of: string;
  words: string;
  also: string;
  pattern: string;
  /** a glob for files whose paths say it themselves */
  files?: string;
  /** only lines of these files */
  globs?: string[];
  /** what a question about them holds beside the words */
  said?: RegExp;
  /** the same, where only those of an API are asked for */
  ofApi?: string;
};

/** Lines of any of these shapes; the keys say whose they are. */
function anyOf(shapes: Readonly<Record<string, string>>): string {
  return Object.values(shapes).join('|');
}

const quote = String.raw`["'\x60]`;
const upper = '[A-Z][A-Z0-9_]{2,}';
const verbs = 'get|post|put|patch|delete|options|head';
const anyCase = '[Gg]et|GET|[Pp]ost|POST|[Pp]ut|PUT|[Pp]atch|PATCH|[Dd]elete|DELETE';
/** `client.get('/x')` asks another server. */
const client = String.raw`(?<!\b(?:[cC]lient|https?|requests?|axios|[sS]ession|[uU]nirest|agent|api|page|fetcher|\$http|ky|got|superagent)(?:\(\w*\))?)`;

const errors = anyOf({
  named: String.raw`\bclass\s+\w*(?:Error|Exception|Warning)\w*\b`,
  derived: String.raw`\bclass\s+\w+.*(?:\bextends|\(|:|<)\s*[\w:.]*(?:Error|Exception)\b`,
  Go: String.raw`^\s*type\s+\w*Error\s+(?:struct|interface)\b`,
  'values of Go': String.raw`^\s*(?:var|const)?\s*Err[A-Z]\w*\s*=\s*(?:errors\.New|fmt\.Errorf)`,
  'Rust, Swift': String.raw`\b(?:enum|struct)\s+(?:\w*Error\b|\w+\s*:.*(?<!any\s)\bError\b)`,
  Elixir: String.raw`\bdefmodule\s+[\w.]*(?:Error|Exception)\b`,
});

const environment = anyOf({
  JavaScript: String.raw`\b(?:process|import\.meta|Deno|Bun)\.env(?:\.(?:get\s*\(\s*["'])?\w|\[\s*(?:${quote}|[A-Z_]{3,}))`,
  Python: String.raw`\bos\.environ(?:\.\w+)?\s*[([]\s*(?:f?["']|[A-Z_]{3,})|["']\s+(?:not\s+)?in\s+os\.environ`,
  'C and Java': String.raw`\bgetenv\s*\(\s*["'A-Z]|\bSystem\.getenv\s*\(`,
  Go: String.raw`\bos\.(?:Getenv|LookupEnv)\s*\(|\b[Bb]indEnv\s*\(`,
  'tags of Go': String.raw`[${quote.slice(1, -1)}\s]env(?:config)?:"[A-Z]`,
  Rust: String.raw`\benv::vars?(?:_os)?\s*\(\s*["A-Z]|\b(?:option_)?env!\s*\(|\benv\s*=\s*"[A-Z]`,
  Ruby: String.raw`\bENV(?:\.fetch\(|\[)\s*["']`,
  PHP: String.raw`\bENV(?:IRON)?\[\s*["']`,
  Spring: String.raw`@Value\s*\(\s*"\$\{|\$\{${upper}:(?![-=?+])[^}]*\}`,
  Click: String.raw`\benvvar\s*=\s*["'\[]`,
  'a function for them': String.raw`\b\w*[eE]nv\w*(?:\.\w+)?\s*\(\s*["']${upper}["']`,
  'constants of Rust': String.raw`\b(?:static|const)\s+[A-Z]\w*\s*:\s*&(?:'static\s+)?str\s*=\s*"[A-Z][A-Z0-9]*_[A-Z0-9_]+"`,
  // Read by a constant, which is called after what it is.
  constants: String.raw`\b\w*(?:ENV|[eE]nv)(?:[A-Z_]\w*)?(?:\s*:\s*[&'\w ]+)?\s*:?=\s*${quote}[A-Z][A-Z0-9]*_[A-Z0-9_]+${quote}`,
});

const routes = anyOf({
  'Express, Gin, Hono': String.raw`${client}\.(?:${anyCase}|[Rr]oute|all|[Oo]ptions|ws|sse|nest|Handle|HandleFunc)\s*\(\s*${quote}[/{]`,
  'Sinatra, Rails': String.raw`^\s*(?:${verbs})\s*\(?\s*["']|^\s*resources?\s+:\w`,
  'Flask, FastAPI': String.raw`^\s*@\w*\.?(?:route|get|post|put|patch|delete)\s*\(\s*["']`,
  Django: String.raw`\bre_path\s*\(|^\s*(?:path|url)\s*\(\s*r?["']`,
  'Starlette, aiohttp': String.raw`\badd_(?:resource|url_rule|route|api_route|websocket_route|get|post)\s*\(.*["']\S*/|\b(?:Route|Mount|WebSocketRoute)\s*\(\s*["']/`,
  'net/http': String.raw`\bHandleFunc\s*\(|\.(?:Handle|HandlerFunc)\s*\(\s*["']`,
  Spring: String.raw`@(?:Get|Post|Put|Delete|Patch|Request)Mapping\b`,
  'JAX-RS, NestJS': String.raw`@(?:Get|Post|Put|Delete|Patch|Path)\s*\(`,
  'Actix, Axum': String.raw`\b(?:web::(?:resource|scope)|[rR]oute)\(\s*&?(?:["'\x60\[/]|format!|\w+[,.])`,
  Rocket: String.raw`#\[(?:get|post|put|delete|patch|head|route)\s*\(\s*"`,
  React: String.raw`<Route\b[^>]*\bpath=`,
});

/** Frameworks that take a route from the path of a file. */
const routeFiles = [
  ...['**/routes/**/+{page,server}.*', '**/app/**/{page,route}.{ts,tsx,js,jsx}'],
  ...['**/pages/**/*.{ts,tsx,js,jsx,vue,astro}', '**/server/{api,routes}/**/*.{ts,js}'],
];

const commands = anyOf({
  'Commander, yargs': String.raw`\.command\s*\(\s*${quote}`,
  'Click, Typer': String.raw`@\w+\.command\b`,
  argparse: String.raw`\badd_parser\s*\(`,
  'Cobra, urfave/cli': String.raw`(?<![*\w])&?(?:cobra|cli)\.Command\s*\{`,
  clap: String.raw`#\[derive\(.*\bSubcommand\b|\.subcommand\s*\(|\bclap::Command::new\s*\(`,
  'enums of them': String.raw`^\s*(?:pub )?enum\s+\w*(?:Command|Subcommand|Cmd)s?\b`,
  'classes of them': String.raw`^\s*class\s+\w+Command\b`,
  'objects of them': String.raw`(?<![\w:.])(?:(?!exec\.)\w+\.)?[A-Z]?\w*[cC]ommand\s*\(\s*["'][\w-]+["']`,
  'a register of them': String.raw`\b[rR]egister_?[cC]ommand\s*\(\s*(?:&?\w*Command\{|${quote})`,
});

const options = anyOf({
  Commander: String.raw`\.(?:option|requiredOption|addOption)\s*\(`,
  'argparse, Click': String.raw`\badd_argument\s*\(|@\w+\.option\s*\(|=\s*(?:click|typer)\.[oO]ption\s*\(`,
  'flag, pflag': String.raw`\b(?:p?flag\w*|fs|[fF]lags\(\))\.(?:String|Int|Uint|Bool|Duration|Float|Count|Var)\w*\s*\(`,
  'urfave/cli': String.raw`\bcli\.\w+Flag\s*\{`,
  clap: String.raw`#\[(?:arg|clap|structopt)\(|\bArg::new\s*\(`,
  OptionParser: String.raw`\b(?:o|opts?|parser|op)\.on\s*\(?\s*["']-`,
  CMake: String.raw`^\s*(?:cmake_dependent_)?option\s*\(\s*[A-Z]\w+`,
  'commons-cli, picocli': String.raw`\bOption\.builder\s*\(|^\s*@Option\s*\(`,
});

const entries = anyOf({
  Go: String.raw`^\s*func\s+main\s*\(\)`,
  Rust: String.raw`^\s*(?:pub\s+)?(?:async\s+)?fn\s+main\s*\(`,
  Python: String.raw`^\s*if\s+__name__\s*==`,
  C: String.raw`^\s*int\s+main\s*\(`,
  'Java, C#': String.raw`\bstatic\s+(?:async\s+)?(?:void|int|Task)\s+[Mm]ain\s*\(`,
  Kotlin: String.raw`^\s*fun\s+main\s*\(`,
  npm: String.raw`^\s*"(?:bin|main|module)"\s*:`,
  pip: String.raw`^\s*\[(?:project|tool\.poetry)\.scripts\]|\bconsole_scripts\b`,
});

/** Constants of them, what ends a program with one, and headings about them. */
const exits = anyOf({
  constants: String.raw`^\s*(?:(?:pub|export|public|static|final|const|var|let|int|enum)\s+)*(?:EXIT|Exit|exit|EX)_?[A-Z_]\w*(?:\s*:\s*\w+|\s+int)?\s*=\s*\(?-?\d+`,
  calls: String.raw`\b(?:os\.Exit|sys\.exit|process\.exit|std::process::exit|System\.exit|exit)\s*\(\s*-?\d+\s*\)|\bprocess\.exitCode\s*=\s*\d`,
  documents: String.raw`^\W*(?:\.SH\s+)?(?:EXIT|Exit)[ -](?:[Ss]tatus|STATUS|[Cc]odes?|CODES?)\W*$|^#{1,6}\s.*\b[Ee]xit (?:[Ss]tatus(?:es)?|[Cc]odes?)\b`,
});

const deprecated = String.raw`@[Dd]eprecated\b|@available\s*\(.*\bdeprecated\b|\[\[(?:\w+::)?deprecated|^\s*(?:\w+\s+)*[A-Z]+_DEPRECATED\s+\w|#\[deprecated|\bDeprecated:|\b(?:Pending)?DeprecationWarning\b|\.\. deprecated::|\bdeprecate\w*\s*\(|\bwarn\w*[\s(].*deprecat`;

const tests = anyOf({
  JavaScript: String.raw`^\s*(?:it|test)(?:\.\w+)*\s*\(\s*${quote}`,
  Python: String.raw`^\s*(?:async\s+)?def\s+test_?\w*`,
  Go: String.raw`^func\s+(?:Test|Fuzz|Example)\w*\s*\(`,
  Rust: String.raw`#\[(?:tokio::)?test\]`,
  Java: String.raw`^\s*@(?:Parameterized)?Test\b`,
  Ruby: String.raw`^\s*(?:it|test|specify)\s+["'].*\bdo\s*$`,
});

export const collections: readonly Collection[] = [
  {
    of: 'variables of a role',
    words: 'variables vars options settings parameters',
    also: 'role roles ansible configurable default defaults variable option',
    pattern: String.raw`^[a-z]\w*:`,
    globs: ['**/{defaults,vars}/main.{yml,yaml}'],
    said: /\broles?\b/i,
  },
  {
    of: 'errors and exceptions',
    words: 'exceptions errors warnings',
    also: 'error exception classes types',
    pattern: errors,
  },
  {
    of: 'environment variables',
    words: 'environment env envvar envvars',
    also: 'variables vars variable settings',
    pattern: environment,
  },
  {
    of: 'routes',
    words: 'routes endpoints urls pages',
    also: 'http api web rest route',
    pattern: routes,
    files: `{${routeFiles.join(',')}}`,
    ofApi: '{**/api/**/*.ts,**/api/**/*.js}',
  },
  {
    of: 'commands',
    words: 'commands subcommands',
    also: 'cli command line command-line sub',
    pattern: commands,
  },
  {
    of: 'options',
    words: 'options flags switches',
    also: 'cli command line command-line arguments option cmake build',
    pattern: options,
  },
  {
    of: 'entry points',
    words: 'entry entrypoint entrypoints execution main',
    also: 'point points start starts begin begins code programs lives',
    pattern: entries,
  },
  {
    of: 'exit codes',
    words: 'exit',
    also: 'code codes status statuses process cli command returns return',
    pattern: exits,
    said: /\bexit[- ](?:code|status)/i,
  },
  {
    of: 'deprecated things',
    words: 'deprecated deprecations deprecation',
    also: 'functions methods things warnings apis',
    pattern: deprecated,
  },
  { of: 'tests', words: 'tests', also: 'unit cases test', pattern: tests },
];
