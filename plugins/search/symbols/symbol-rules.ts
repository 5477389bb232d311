export const symbolKinds = [
  'class',
  'struct',
  'interface',
  'trait',
  'type',
  'enum',
  'function',
  'method',
  'constant',
  'module',
  'macro',
  'table',
] as const;
export type SymbolKind = (typeof symbolKinds)[number];

/** The first group is the name; a function of the line gives kinds that only its shape tells. */
export type SymbolRule = readonly [SymbolKind | ((line: string) => SymbolKind), RegExp];

/** In a class or another block it belongs to something: a method. */
const byIndent = (line: string): SymbolKind => (/^\s/.test(line) ? 'method' : 'function');
const byWord =
  (words: Readonly<Record<string, SymbolKind>>) =>
  (line: string): SymbolKind =>
    words[line.match(/\b[a-z]+\b/g)?.find((word) => Object.hasOwn(words, word)) ?? ''] ?? 'type';

/** Words that stand where a type or a name would, and make a statement of the line. */
const statement =
  '(?!(?:if|for|while|switch|catch|return|else|do|try|throw|new|await|yield|delete|case|with|when|match|loop|unless|elif|using|lock|goto|in|not|and|or|assert|raise|super|this|function|typeof|foreach|synchronized|sizeof|defined|co_await|co_return)\\b)';

const scriptHead = '^\\s*(?:(?:export|default|declare|abstract|async|const(?=\\s+enum))\\s+)*';
const member =
  '(?:(?:public|private|protected|static|async|override|readonly|abstract|declare|accessor|get|set)\\s+)';
const arrow =
  '(?:async\\s+)?(?:function\\b|<[^>]*>\\s*\\(|\\((?:[^()]|\\([^()]*\\))*\\)\\s*(?::[^=]+)?=>|[\\w$]+\\s*=>|\\((?:[^()]|\\([^()]*\\))*$)';

const script: readonly SymbolRule[] = [
  ['class', new RegExp(`${scriptHead}class\\s+([\\w$]+)`)],
  ['interface', new RegExp(`${scriptHead}interface\\s+([\\w$]+)`)],
  ['type', new RegExp(`${scriptHead}type\\s+([\\w$]+)\\s*(?:=|<|$)`)],
  ['enum', new RegExp(`${scriptHead}enum\\s+([\\w$]+)`)],
  ['module', new RegExp(`${scriptHead}(?:namespace|module)\\s+["']?([\\w$./-]+)["']?\\s*\\{`)],
  ['function', new RegExp(`${scriptHead}function\\s*\\*?\\s*([\\w$]+)`)],
  [
    'function',
    new RegExp(
      `^\\s*(?:export\\s+)?(?:const|let|var)\\s+([\\w$]+)\\s*(?::[^=]+(?:=>[^=]+)?)?=\\s*${arrow}`,
    ),
  ],
  ['constant', /^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+([\w$]+)\s*(?:[:=;]|$)/],
  ['function', new RegExp(`^\\s*(?:[\\w$]+\\.)+([\\w$]+)\\s*=\\s*${arrow}`)],
  ['method', new RegExp(`^\\s+${member}*["']?([\\w$#]+)["']?\\s*[:=]\\s*${arrow}`)],
  [
    'method',
    new RegExp(
      `^\\s+${member}*\\*?\\s*${statement}(#?[\\w$]+)\\s*(?:<[^(]*>)?\\([^;]*(?<!=>\\s*)\\{\\s*$`,
    ),
  ],
  ['method', new RegExp(`^\\s+${member}+\\*?\\s*${statement}(#?[\\w$]+)\\s*(?:<[^(]*>)?\\(`)],
];

const python: readonly SymbolRule[] = [
  ['class', /^\s*(?:cdef\s+|cppclass\s+|public\s+|api\s+)*class\s+(\w+)\s*[:([]/],
  [byIndent, /^\s*(?:async\s+)?def\s+(\w+)\s*[([]/],
  // Those of Cython.
  ['struct', /^\s*(?:cdef|ctypedef)\s+(?:packed\s+)?(?:struct|union|cppclass)\s+(\w+)/],
  ['enum', /^\s*(?:cdef|cpdef|ctypedef)\s+enum\s+(?:class\s+)?(\w+)/],
  ['type', /^\s*ctypedef\s.*\b(\w+)\s*$/],
  [byIndent, /^\s*cp?def\s+(?:[\w.[\],*&]+\s+)*[*&]*(\w+)\s*\(/],
  ['type', /^type\s+(\w+)\s*[=[]/],
  ['constant', /^(\w+)\s*(?::[^=]+)?=(?!=)/],
  ['constant', /^(?: {4}|\t)([A-Z][A-Z\d_]*)\s*(?::[^=]+)?=(?!=)/],
];

const go: readonly SymbolRule[] = [
  ['method', /^func\s+\([^)]*\)\s*(\w+)/],
  ['function', /^func\s+(\w+)/],
  ['struct', /^\s*(?:type\s+)?(\w+)(?:\[[^\]]*\])?\s+struct\b/],
  ['interface', /^\s*(?:type\s+)?(\w+)(?:\[[^\]]*\])?\s+interface\b/],
  ['type', /^type\s+(\w+)/],
  ['constant', /^(?:const|var)\s+(\w+)/],
  ['constant', /^\t(\w+)\s+[\w.[\]*]+\s*=(?!=)/],
  ['constant', /^\t(\w+)\s*=\s*iota\b/],
  ['constant', /^\t([A-Z]\w*)\s*=\s*["'`\d]/],
];

const rustHead =
  '^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?(?:(?:default|const|async|unsafe|extern(?:\\s+"[^"]*")?)\\s+)*';
const rust: readonly SymbolRule[] = [
  [byIndent, new RegExp(`${rustHead}fn\\s+(\\w+)`)],
  ['struct', new RegExp(`${rustHead}(?:struct|union)\\s+(\\w+)\\s*(?:[{(<;]|where\\b|$)`)],
  ['enum', new RegExp(`${rustHead}enum\\s+(\\w+)`)],
  ['trait', new RegExp(`${rustHead}(?:auto\\s+)?trait\\s+(\\w+)`)],
  ['type', new RegExp(`${rustHead}type\\s+(\\w+)`)],
  ['module', new RegExp(`${rustHead}mod\\s+(\\w+)`)],
  ['macro', /^\s*macro_rules!\s*(\w+)/],
  ['constant', /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(?:mut\s+)?(\w+)\s*:/],
];

const jvmHead =
  '^\\s*(?:@\\w+(?:\\([^)]*\\))?\\s+)*(?:(?:public|private|protected|internal|static|final|abstract|sealed|non-sealed|open|data|inner|partial|readonly|strictfp|annotation|value|inline|override|virtual|async|default|synchronized|native|transient|volatile|suspend|operator|infix|tailrec|lateinit|const|new|unsafe|extern|implicit|lazy|case|fileprivate|mutating|indirect|required|convenience|external|base|mixin|factory|covariant|late|expect|actual|fun(?=\\s+interface)|nonisolated|distributed|dynamic|weak|package|prefix|postfix|transparent|opaque|file)\\s+)*';
const kotlinish: readonly SymbolRule[] = [
  ['enum', new RegExp(`${jvmHead}enum\\s+(?:class\\s+)?(\\w+)`)],
  ['interface', new RegExp(`${jvmHead}(?:@?interface|protocol)\\s+(\\w+)`)],
  ['trait', new RegExp(`${jvmHead}(?:trait|mixin)\\s+(\\w+)`)],
  ['struct', new RegExp(`${jvmHead}struct\\s+(\\w+)`)],
  ['class', new RegExp(`${jvmHead}(?:class|record|object|actor|extension)\\s+(\\w+)`)],
  ['type', new RegExp(`${jvmHead}(?:typealias|typedef|type)\\s+(\\w+)`)],
  ['module', /^\s*namespace\s+([\w.]+)/],
  [byIndent, new RegExp(`${jvmHead}(?:fun|func|def)\\s+(?:<[^>]*>\\s*)?(?:[\\w?]+\\.)?(\\w+)`)],
  ['constant', new RegExp(`^(?:    |\\t)?${jvmHead.slice(4)}(?:val|var|let)\\s+(\\w+)`)],
];
const javaish: readonly SymbolRule[] = [
  ...kotlinish,
  [
    'constant',
    /^\s*(?:(?:public|private|protected|internal)\s+)?(?:static\s+final|final\s+static|const|static\s+readonly|static\s+const)\s+[\w<>[\],.? ]+\s(\w+)\s*[=;]/,
  ],
  [
    'method',
    new RegExp(
      `${jvmHead}(?:<[^(]*>\\s*)?${statement}[\\w.]+(?:<[^(]*>)?(?:\\[\\])*\\??\\s+${statement}(\\w+)\\s*(?:<[^(>]*>)?\\((?:[^;=]|=(?!=))*(?:\\{\\s*\\}?|,|\\(|\\)|throws[\\w\\s.,]*|;|=>.*)\\s*$`,
    ),
  ],
  [
    'method',
    /^\s+(?:public|private|protected|internal)\s+(\w+)\s*\([^;]*(?:\{|,|\(|\)|throws.*)\s*$/,
  ],
];

const c: readonly SymbolRule[] = [
  ['macro', /^\s*#\s*define\s+(\w+)/],
  ['module', /^\s*(?:inline\s+)?namespace\s+([\w:]+)\s*(?:\{|$)/],
  [
    byWord({ class: 'class', struct: 'struct', union: 'struct', enum: 'enum' }),
    /^\s*(?:typedef\s+|template\s*<[^>]*>\s*)*(?:enum\s+(?:class\s+|struct\s+)?|class\s+|struct\s+|union\s+)(?:[A-Z_]+\s+|__attribute__\S+\s+|alignas\([^)]*\)\s+)?([A-Za-z_]\w*)\s*(?:final\s*)?(?::[^:;{][^;{]*)?(?:\{.*)?$/,
  ],
  ['type', /^\s*typedef\s[^;]*?\(\*\s*(\w+)\)\s*\(/],
  ['type', /^\s*typedef\s[^;]*?(\w+)(?:\[[^\]]*\])?\s*;/],
  ['type', /^\}\s*(\w+)\s*;/],
  ['type', /^\s*using\s+(\w+)\s*=/],
  ['method', /^(?:[\w*&:<>,~]+\s+)*[*&]*(?:\w+(?:<[^>]*>)?::)+(~?\w+|operator\S+)\s*\([^;]*$/],
  [
    'function',
    new RegExp(
      `^(?:extern\\s+"C"\\s+)?${statement}(?:[A-Za-z_][\\w:]*(?:<[^(>]*>)?\\s*[*&]*\\s+[*&]*|[A-Za-z_]\\w*\\s*[*&]+)(?:[\\w:<>*&]+\\s+[*&]*)*([A-Za-z_]\\w*)\\s*\\([^;]*$`,
    ),
  ],
  // GNU style: the type stands on the line before.
  ['function', new RegExp(`^${statement}([a-z_]\\w*)\\s*\\([^;]*\\)\\s*\\{?\\s*$`)],
  [
    'constant',
    /^(?:static\s+|inline\s+|extern\s+)*(?:const|constexpr)\s+[\w:<>,\s*&]*?[\s*&](\w+)\s*(?:\[[^\]]*\]\s*)*=/,
  ],
];
/** In a header a declaration is what others include, and methods stand in their class. */
const header: readonly SymbolRule[] = [
  ...c,
  [
    (line) => (/^\s/.test(line) ? 'method' : 'function'),
    new RegExp(
      `^\\s*(?:(?:virtual|static|inline|explicit|constexpr|extern|friend)\\s+)*${statement}(?:[A-Za-z_](?:[\\w:]*\\w)?(?:<[^(>]*>)?[\\s*&]+)+([A-Za-z_]\\w*)\\s*\\([^()]*(?:\\([^()]*\\)[^()]*)*\\)\\s*(?:const|noexcept|override|final|=\\s*(?:0|default|delete)|__attribute__.*|\\s)*(?:;|\\{.*)$`,
    ),
  ],
];
const cpp: readonly SymbolRule[] = [
  ...c,
  [
    'method',
    new RegExp(
      `^\\s+(?:(?:virtual|static|inline|explicit|constexpr)\\s+)*${statement}(?:[A-Za-z_](?:[\\w:]*\\w)?(?:<[^(>]*>)?[\\s*&]+)+${statement}([A-Za-z_]\\w*)\\s*\\([^;]*\\)\\s*(?:const|noexcept|override|final|\\s)*\\{.*$`,
    ),
  ],
];

const ruby: readonly SymbolRule[] = [
  ['class', /^\s*class\s+(?:\w+::)*(\w+)/],
  ['module', /^\s*module\s+(?:\w+::)*(\w+)/],
  [byIndent, /^\s*(?:(?:private|protected|public)\s+)?def\s+(?:self\.|\w+\.)?(\w+[?!=]?)/],
  ['method', /^\s*(?:attr_(?:reader|writer|accessor)|define_method|scope)[\s(]+:(\w+[?!]?)/],
  ['constant', /^\s*([A-Z]\w*)\s*=(?![=~>])/],
];

const php: readonly SymbolRule[] = [
  ['class', /^\s*(?:(?:abstract|final|readonly)\s+)*class\s+(\w+)/],
  ['interface', /^\s*interface\s+(\w+)/],
  ['trait', /^\s*trait\s+(\w+)/],
  ['enum', /^\s*enum\s+(\w+)/],
  ['module', /^\s*namespace\s+([\w\\]+)/],
  [
    byIndent,
    /^\s*(?:(?:public|private|protected|static|final|abstract)\s+)*function\s+&?\s*(\w+)\s*\(/,
  ],
  [
    'constant',
    /^\s*(?:(?:public|private|protected|final)\s+)*const\s+(?:\??\w+\s+)?(\w+)\s*=|^\s*define\(\s*['"](\w+)['"]/,
  ],
];

const shell: readonly SymbolRule[] = [
  ['function', /^\s*(?:function\s+)?([\w:.-]+)\s*\(\)/],
  ['function', /^\s*function\s+([\w:.-]+)/],
  ['constant', /^(?:(?:export|readonly|declare\s+-\w+)\s+)?([A-Za-z_]\w*)=/],
];

const lua: readonly SymbolRule[] = [
  ['function', /^\s*(?:local\s+)?function\s+(?:\w+[.:])*(\w+)/],
  ['function', /^\s*(?:local\s+)?(?:\w+\.)*(\w+)\s*=\s*function\b/],
  ['constant', /^local\s+(\w+)\s*=/],
];

const elixir: readonly SymbolRule[] = [
  ['module', /^\s*(?:defmodule|defprotocol|defimpl)\s+(?:\w+\.)*(\w+)/],
  ['macro', /^\s*defmacrop?\s+(\w+[?!]?)/],
  ['function', /^\s*(?:defp?|defdelegate|defguardp?)\s+(\w+[?!]?)/],
  ['method', /^\s*@(?:macro)?callback\s+(\w+[?!]?)/],
];

const perl: readonly SymbolRule[] = [
  ['module', /^\s*package\s+([\w:]+)/],
  ['function', /^\s*sub\s+(\w+)/],
  ['constant', /^\s*(?:use\s+constant|our)\s+[$@%]?(\w+)/],
];

const sql: readonly SymbolRule[] = [
  [
    (line) =>
      /\b(?:function|procedure)\b/i.test(line)
        ? 'function'
        : /\b(?:type|domain)\b/i.test(line)
          ? 'type'
          : 'table',
    /^\s*create\s+(?:or\s+replace\s+)?(?:(?:temp|temporary|unlogged|unique|virtual|materialized)\s+)*(?:table|view|function|procedure|index|trigger|type|domain|sequence)\s+(?:if\s+not\s+exists\s+)?(?:["`[]?\w+["`\]]?\.)?["`[]?(\w+)/i,
  ],
];

const proto: readonly SymbolRule[] = [
  ['struct', /^\s*message\s+(\w+)/],
  ['enum', /^\s*enum\s+(\w+)/],
  ['interface', /^\s*service\s+(\w+)/],
  ['method', /^\s*rpc\s+(\w+)/],
];

const wit: readonly SymbolRule[] = [
  ['interface', /^\s*(?:interface|world)\s+%?([\w-]+)/],
  ['type', /^\s*(?:record|variant|type|flags|resource)\s+%?([\w-]+)/],
  ['enum', /^\s*enum\s+%?([\w-]+)/],
  ['function', /^\s*%?([\w-]+):\s*(?:async\s+)?(?:static\s+)?func\b/],
];

const graphql: readonly SymbolRule[] = [
  ['interface', /^interface\s+(\w+)/],
  ['enum', /^enum\s+(\w+)/],
  ['type', /^(?:extend\s+)?(?:type|input|union|scalar)\s+(\w+)/],
];

const haskell: readonly SymbolRule[] = [
  ['class', /^class\s+(?:.*=>\s*)?(\w+)/],
  ['type', /^(?:data|newtype|type(?:\s+family)?)\s+(\w+)/],
  ['function', /^([a-z_][\w']*)\s*::/],
];

const rLanguage: readonly SymbolRule[] = [
  ['function', /^\s*([\w.]+)\s*(?:<-|=)\s*function\b/],
  ['constant', /^([\w.]+)\s*<-/],
];

const zig: readonly SymbolRule[] = [
  [byIndent, /^\s*(?:pub\s+)?(?:export\s+|inline\s+|extern\s+)*fn\s+(\w+)/],
  ['struct', /^\s*(?:pub\s+)?const\s+(\w+)\s*=\s*(?:packed\s+|extern\s+)?(?:struct|union)\b/],
  ['enum', /^\s*(?:pub\s+)?const\s+(\w+)\s*=\s*enum\b/],
  ['constant', /^(?:pub\s+)?(?:const|var)\s+(\w+)\s*[:=]/],
];

const julia: readonly SymbolRule[] = [
  ['module', /^\s*module\s+(\w+)/],
  ['struct', /^\s*(?:mutable\s+)?struct\s+(\w+)/],
  ['type', /^\s*abstract\s+type\s+(\w+)/],
  ['macro', /^\s*macro\s+(\w+)/],
  ['function', /^\s*function\s+(?:\w+\.)*(\w+!?)/],
  ['function', /^(\w+!?)\([^)]*\)\s*=(?!=)/],
  ['constant', /^const\s+(\w+)/],
];

const make: readonly SymbolRule[] = [
  ['function', /^([\w./%-]+)\s*::?(?!=)(?:\s|$)/],
  ['constant', /^(?:export\s+)?(\w+)\s*[:?+]?=/],
];

/** File endings, each with the rules that read its lines; the order of rules decides. */
export const symbolLanguages: readonly (readonly [
  endings: string,
  rules: readonly SymbolRule[],
])[] = [
  ['ts tsx mts cts js jsx mjs cjs vue svelte', script],
  ['py pyi pyx pxd pxi ipynb', python],
  ['go', go],
  ['rs', rust],
  ['java cs dart groovy', javaish],
  ['kt kts swift scala sc', kotlinish],
  ['c cc cpp cxx m mm', cpp],
  ['h hh hpp hxx', header],
  ['rb rake', ruby],
  ['php', php],
  ['sh bash zsh ksh', shell],
  ['lua', lua],
  ['ex exs', elixir],
  ['pl pm', perl],
  ['sql', sql],
  ['proto', proto],
  ['wit', wit],
  ['graphql gql', graphql],
  ['hs', haskell],
  ['r', rLanguage],
  ['zig', zig],
  ['jl', julia],
  ['mk', make],
];
