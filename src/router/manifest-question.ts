import type { ManifestReading, ManifestTopic } from '../contracts/intent.ts';
import { questionForm as re } from './question-form.ts';

const it =
  '(?:it|this|that|everything|(?:the|this|our|my)(?: (?:project|repo(?:sitory)?|package|library|code|code ?base|app|application|program|sources?|workspace|thing))?)';
const doing =
  '(?:how (?:do|can|should) (?:I|we|you|one)|how to|what is the command to|which command)';
const target = String.raw`[\x60"']?(@?[\w./-]*\w)[\x60"']?`;

/** What each question wants to know of the manifests; the first group is the name it is about. */
const rules: readonly (readonly [ManifestTopic, RegExp])[] = [
  [
    'test',
    re(
      `${doing} (?:run|execute|start|launch)s?(?: (?:the|all|all the|our|its|unit))* tests?(?: suite)?(?: (?:here|of ${it}))?`,
    ),
  ],
  ['test', re(`${doing} test ${it}`)],
  ['lint', re(`${doing} (?:run(?: the)? )?(?:lint(?:er|ers)?|format|type-?check)(?: ${it})?`)],
  ['build', re(`${doing} (?:build|compile|bundle|package)(?: ${it})?`)],
  [
    'build',
    re(`how is (?:the )?(?:release|build|bundle|package|${it}) (?:built|compiled|made|bundled)`),
  ],
  [
    'run',
    re(
      `${doing} (?:run|start|launch|serve)(?: ${it}| the (?:server|app|application|program))?(?: locally)?`,
    ),
  ],
  [
    'scripts',
    re(
      `(?:what|which|list|show)(?: me)?(?: (?:are|the|all|npm|make|available|of))* (?:scripts|targets|tasks)(?: (?:are there|exist|does it have|do we have|can I run|are available))?`,
    ),
  ],
  [
    'license',
    re(
      `(?:what(?:'s| is)|which|under (?:what|which))(?: (?:the|its|this))* licen[cs]e(?: (?:is|of|does|for) .*)?`,
    ),
  ],
  ['author', re(`who (?:maintains|wrote|made|owns|is the author of|develops) ${it}`)],
  ['author', re(`who (?:is|are) the (?:maintainers?|authors?)(?: of ${it})?`)],
  [
    'workspaces',
    re(
      `(?:what|which|list|show)(?: me)?(?: (?:are|the|all|of))* (?:workspaces|packages|crates|modules|members)(?: (?:are|does|do|exist).*)?(?: (?:in|of) ${it})?`,
    ),
  ],
  [
    'dependencies',
    re(
      `(?:what|which|list|show)(?: me)?(?: (?:are|the|all|its|our|of|runtime|direct|dev|other))* (?:dependencies|deps)(?: (?:are there|does it have|do we have|exist|of ${it}))?`,
    ),
  ],
  [
    'dependencies',
    re(`(?:does|do|has|have) (?:it|we|this|the project) (?:have )?(?:any )?dependencies`),
  ],
  ['dependencies', re(`what does ${it} depend on`)],
  [
    'engine',
    re(
      `(?:which|what)(?: version of)? (node(?:\\.?js)?|python|go|rust|java|ruby|php|deno|bun|engine|runtime|toolchain)(?: version)?(?: (?:is|are|does|do) .*)?(?: (?:need|needed|required?|requires|supported|use|used|run on|target))?`,
    ),
  ],
  ['engine', re(`(?:which|what) versions? of (node(?:\\.?js)?|python|go|rust|java|ruby|php) .*`)],
  [
    'version',
    re(
      `(?:which|what)(?:'s| is)?(?: the)?(?: current)? version(?: of ${it})?(?: is (?:this|it)| are we (?:on|at)| do we have| is ${it})?`,
    ),
  ],
  [
    'dependency',
    re(`(?:which|what)(?:'s| is)?(?: the)? version of ${target}(?: (?:is|are|do|does) .*)?`),
  ],
  ['dependency', re(`(?:who|what|which package) (?:needs|requires|depends on|pulls in) ${target}`)],
  ['dependency', re(`do we (?:use|need|depend on|have) ${target}`)],
  ['dependency', re(`(?:which|what) ${target} version(?: (?:is|do|does) .*)?`)],
];

/** What a question wants to know of a project's manifests; undefined for all others. */
export function readManifest(question: string): ManifestReading | undefined {
  for (const [about, rule] of rules) {
    const match = rule.exec(question);
    if (match === null) continue;
    const name = about === 'dependency' ? match[1] : undefined;
    return { kind: 'manifest', about, ...(name === undefined ? {} : { name }) };
  }
  return undefined;
}
