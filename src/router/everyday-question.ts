import type { Reading } from '../contracts/intent.ts';
import { identifiersIn, pathsIn } from '../lib/text/question-words.ts';
import { readManifest } from './manifest-question.ts';
import { questionForm as re } from './question-form.ts';
import { linesIn } from './read-kind.ts';

const kind =
  '(?:class|struct|interface|trait|enum|type|function|method|constant|variable|def|fn|func|macro|module)';
/** A name of code, also one that is written as a plain word. */
const name = String.raw`[\x60"']?((?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|#))*[\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?[\x60"']?`;

/** `where is X defined?`: its words ask for a definition, whatever X looks like. */
const definition: readonly RegExp[] = [
  re(
    `where (?:is|are|was)(?: the)?(?: ${kind})? ${name}(?: ${kind})? `,
    '(?:defined|declared|implemented|located)',
  ),
  re(`where (?:is|are)(?: the)? ${kind} ${name}`),
  re(`(?:(?:show|give|find|print)(?: me)? )?(?:the )?(?:definition|declaration|source) of ${name}`),
  re(`(?:what is|what's|what does|show|show me|explain)(?: the)? ${kind} ${name}(?: do)?`),
];
/** The same of what can only be a name: `show DualOptions`, `what does isLinuxMusl do?` */
const definitionOfName: readonly RegExp[] = [
  re(`(?:where is|what is|what's|what does|show|show me|find|explain) ${name}(?: do)?`),
  re(name),
];
const between: readonly RegExp[] = [
  re(`(?:what(?:'s| is) )?(?:the )?differences? between ${name} and ${name}`),
  re(`compare ${name} (?:and|with|to) ${name}`),
  re(`how (?:does|do|is|are) ${name} (?:differ|different) from ${name}`),
];
const covering = re(
  `(?:which|what) (?:unit )?tests? (?:cover|covers|test|tests|use|uses|exercise|call)s? ${name}`,
);
const fileWords = re(
  String.raw`(?:what(?:'s| is| stands) (?:written )?in|what does .* (?:say|contain)|contents? of|lines? \d+ (?:to|-|–|through|until) \d+ (?:of|in))\b.*`,
);
const changes = re(
  String.raw`(?:(?:show|print|open)(?: me)? (?:the )?(?:change ?log|release notes|history file)|what(?:'s| is)? (?:new|changed) in (?:version )?v?(\d+(?:\.\d+)+))`,
);
const about: readonly RegExp[] = [
  re(
    `(?:what is|what's|what does|summari[sz]e|describe|explain|give me an overview of|tell me about)(?: this)?(?: (?:this|the|project|repo(?:sitory)?|package|library|program|code ?base|tool|all))*(?: (?:about|for|do|do\\?))?`,
  ),
  re(
    `(?:how (?:do|can) (?:I|we|you) )?(?:get|getting) started(?: (?:here|with (?:this|it)(?: project)?))?`,
  ),
];
/** `how do I add Y?`: documents say it before code does. */
const guide =
  /^\s*(?:please\s+)?(?:how (?:do|can|should|would|could) (?:I|we|you|one)|how to|when (?:should|can) (?:I|we|you)(?: not)?|show me how to)\s+(?:add|write|create|make|define|declare|configure|set ?up|migrate|upgrade|install|use|enable|disable|customi[sz]e|register|extend|handle|pass|import|call|get|publish|contribute|deploy)\b/i;

/** Questions that people ask every day, by rules on their words; undefined for all others. */
export function readEveryday(question: string): Reading | undefined {
  if (question.length > 400) return undefined;
  return (
    readComparison(question) ??
    readManifest(question) ??
    readGuide(question) ??
    readNamed(question) ??
    readContents(question)
  );
}

function readComparison(question: string): Reading | undefined {
  const match = firstMatch(between, question);
  const [, one, other] = match ?? [];
  return one === undefined || other === undefined
    ? undefined
    : { kind: 'comparison', names: [one, other] };
}

function readGuide(question: string): Reading | undefined {
  const version = changes.exec(question);
  if (version !== null)
    return { kind: 'changes', ...(version[1] === undefined ? {} : { version: version[1] }) };
  if (firstMatch(about, question) !== undefined) return { kind: 'about' };
  return guide.test(question) && identifiersIn(question).length === 0
    ? { kind: 'guide' }
    : undefined;
}

function readNamed(question: string): Reading | undefined {
  const covered = covering.exec(question)?.[1];
  if (covered !== undefined) return { kind: 'tests', name: covered };
  const asked = firstMatch(definition, question)?.[1];
  if (asked !== undefined) return { kind: 'definition', name: asked, isName: true };
  const [path] = pathsIn(question);
  if (path !== undefined) return undefined;
  const shown = firstMatch(definitionOfName, question)?.[1];
  // A plain word may mean anything: `show commits`, `what is caching?`
  return shown !== undefined && isNameOfCode(shown)
    ? { kind: 'definition', name: shown, isName: true }
    : undefined;
}

/** `what is in README.md?`, `lines 10 to 20 of queues.py`. */
function readContents(question: string): Reading | undefined {
  const [path] = pathsIn(question).filter((found) => !found.includes('*'));
  if (path === undefined || !fileWords.test(question)) return undefined;
  if (!/[^/.]\.\w+$/.test(path) && !/^\.\w/.test(path)) return undefined;
  return { kind: 'file', path, lines: linesIn(question, path) };
}

function firstMatch(rules: readonly RegExp[], question: string): RegExpExecArray | undefined {
  for (const rule of rules) {
    const match = rule.exec(question);
    if (match !== null) return match;
  }
  return undefined;
}

/** It has a capital letter inside or a `_`, or joins two names. */
function isNameOfCode(word: string): boolean {
  return /\p{Ll}\p{Lu}|_|::|#|\p{Lu}\p{Ll}+\p{Lu}/u.test(word);
}
