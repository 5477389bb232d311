/** What a path says about how likely its file holds the answer. */
export type PathKind =
  | 'source'
  | 'test'
  | 'example'
  | 'docs'
  | 'log'
  | 'data'
  | 'style'
  | 'vendored'
  | 'generated';

const testPath =
  /(^|\/)[a-z]+[-_]tests?\/|(^|\/)(tests?|__tests__|specs?|testdata|test[-_]?(utils?|helpers?|data|cases?)|fixtures?|mocks?|__mocks__|__snapshots__|e2e|integration[-_]tests?|benches|benchmarks?|bench|perf|fuzz|regress(ion)?)\/|(^|\/)(test_[^/]*|conftest)\.\w+$|[._-](tests?|specs?|bench|e2e|stories)\.\w+$|[a-z0-9](Tests?|Spec|IT|Benchmark)\.\w+$/;
const examplePath =
  /(^|\/)(examples?|samples?|demos?|playground|tutorials?|cookbook|_?examples_?)\//;
const docsPath =
  /(^|\/)(docs?|documentation|website|site|man)\/|\.(md|mdx|rst|txt|adoc|markdown|html?|tex|1|1\.in|ipynb|po|pot)$|(^|\/)(readme|changelog|changes|history|license|licence|notice|authors|contributing|copying)[^/]*$/i;
/** Changelogs and old news. */
const logPath =
  /(^|\/)(changelog|changes|history|news|release[-_]?notes|releases)[^/]*\.(md|mdx|rst|txt|adoc)$|(^|\/)(changelog|changes|history|news)$|(^|\/)(blog|changelogs?(\.d)?|release[-_]?notes|posts)\/(.*\/)?([^/]*\.(md|mdx|rst|txt|adoc)|[^/.]+)$|(^|\/)(changelogs?(\.d)?|changes|news(fragments)?)\/[^/]*\d\.[a-z]+$/i;
const dataPath =
  /(^|[/_-])complet(e|ions?)(\/.*)?\.(fish|bash|zsh|ps1|elv|nu)(\.in)?$|(^|\/)completions?\/(.*\/)?_[^/.]+$|\.(json|jsonl|json5|csv|tsv|ya?ml|toml|xml|ini|cfg|conf|lock|sum|mod|properties|plist|sql|svg|map|snap|env|proto|graphql|cmake|bazel|gradle|d\.[cm]?ts)$|(^|\/)(makefile|dockerfile|package-lock\.json|\.[^/]+)$/i;
const stylePath = /\.(css|scss|sass|less|styl)$/i;
const vendoredPath =
  /(^|\/)(vendor|vendored|_vendor|third[-_]?party|node_modules|external|deps|bower_components)\//i;
const generatedPath =
  /(^|\/)(dist|build|out|target|gen|generated|__generated__|coverage|migrations)\/|\.min\.\w+$|[._-](pb|gen|generated|g)\.\w+$|_pb2(_grpc)?\.py$|\.pb\.go$|zz_generated/i;

/** Whether a file is prose, which has no comments. */
export function isProse(path: string): boolean {
  return docsPath.test(path) || logPath.test(path);
}

/** Whether a document is of a part alone, for those who change the project, or of what was news. */
export function isBeside(path: string): boolean {
  const isOfPart = /^(?!(?:docs?|documentation|guides?|website|site|man)\/)[^/]+\//i.test(path);
  return (
    isOfPart ||
    /^(?:CONTRIBUTING|DEVELOP\w*|HACKING|MAINTAIN\w*)\b/.test(path) ||
    logPath.test(path)
  );
}

/** Whether a file is neither test, example, document, data, generated nor vendored. */
export function isSource(path: string): boolean {
  return pathKind(path) === 'source';
}

/** The same of a path as the host gives it: `work:src/a.ts`. */
export function isSourceAt(path: string): boolean {
  return isSource(path.replace(/^\w+:/, ''));
}

export function isTest(path: string): boolean {
  return testPath.test(path);
}

function pathKind(path: string): PathKind {
  if (vendoredPath.test(path)) return 'vendored';
  if (generatedPath.test(path)) return 'generated';
  if (testPath.test(path)) return 'test';
  if (examplePath.test(path)) return 'example';
  if (stylePath.test(path)) return 'style';
  if (logPath.test(path)) return 'log';
  if (docsPath.test(path)) return 'docs';
  if (dataPath.test(path)) return 'data';
  return 'source';
}

const factors: Readonly<Record<PathKind, number>> = {
  source: 1,
  test: 0.5,
  example: 0.5,
  docs: 0.5,
  log: 0.3,
  data: 0.5,
  style: 0.5,
  vendored: 0.3,
  generated: 0.5,
};

/** Words that ask for a kind of file: then it does not sink. */
const asksFor: readonly (readonly [RegExp, PathKind])[] = [
  [
    /\b(unit |integration |regression )?tests? (for|of|cover|file|suite|case)|\btested\b|\bfixtures?\b|\bbenchmarks?\b/i,
    'test',
  ],
  [/\bexamples?\b|\bsamples?\b|\bdemos?\b/i, 'example'],
  [/\bdocs?\b|\bdocumentation\b|\breadme\b|\bchangelog\b|\bdocumented\b/i, 'docs'],
  // What a version brought stands in a log of changes.
  [/(?<![\w.])v?\d+(?:\.\d+)+(?![\w.]*\w)|\bchangelog\b/, 'log'],
  [/\b(css|stylesheets?|scss)\b/i, 'style'],
  [
    /\b(json|ya?ml|toml|package|dockerfile|makefile) (file|config\w*)\b|\b(package\.json|dependenc(y|ies))\b/i,
    'data',
  ],
];

/** Kinds of files that a question names. */
export function kindsAskedFor(question: string): ReadonlySet<PathKind> {
  const head = question.slice(0, 2000);
  return new Set(asksFor.filter(([words]) => words.test(head)).map(([, kind]) => kind));
}

/** What a file's score is multiplied by; in (0, 1]. */
export function pathFactor(path: string, askedFor: ReadonlySet<PathKind>): number {
  const kind = pathKind(path);
  return askedFor.has(kind) ? 1 : factors[kind];
}
