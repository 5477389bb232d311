const asking =
  /\?|^\W*(?:(?:and|so|but|please|now|ok|hi|hello)\W+)*(?:where|what|which|who|whose|whom|how|why|when|whether|is|are|was|were|does|do|did|can|could|should|would|will|may|has|have|find|show|list|explain|describe|tell|give|search|locate|point)\b(?! not\b)|[,;:]\s*(?:where|what|which|who|how|why|when)\b/i;
/** A message that a program wrote is looked for, not told. */
const message = /\b(?:\w*error|\w*exception|warning|fatal|panic)\b: /i;
/** `fix(parser): …`, `[core] …`, `docs/conf: …` */
const scoped = /^\W*[\w./-]+(?:\([^)]*\))?!?:\s|^\[[\w ./-]+\]\s/;
const verbs = `accept add adjust align allow always apply avoid bring bug call cast catch change check clarify clean
combine complete convert correct cover create decrease delete deprecate detect disable do don't drop enable ensure
escape exclude expand export expose extend extract feature fix flush follow force forward get guard handle hide
honor honour ignore implement import improve include increase infer initialize inline introduce invalidate invert
keep let limit load log lower make mark merge migrate move narrow never no normalize omit only optimize override pass
preserve prevent properly propagate raise read rebuild reduce refactor reject release remove rename render reorder
replace require reset resolve respect restore restrict return reuse revert rewrite run set simplify skip sort split
start stop support suppress switch sync throw treat trim try tweak typo unify update upgrade use validate wait warn
wrap write`;
const stems = verbs.split(/\s+/).map((verb) => verb.replace(/[ey]$/, ''));
const changing = new RegExp(
  String.raw`^\W*(?:${stems.join('|')})(?:\w)?(?:e|es|y|ies|ied|ed|s|d|ing)?\b`,
  'i',
);
/** Words for a fault, or for a wanted change. */
const wrong =
  /\b(?:should|doesn't|does not work|isn't|aren't|supports?|no longer|instead of|in favou?r of|broken|wrong(?:ly)?|incorrect(?:ly)?|fails?|breaks?|crash(?:es)?)\b/i;

/**
 * Whether a text asks nothing and says what is wrong or is to change, as subjects of commits and of
 * issues do. Such texts are about the files that most work goes on in, which are long.
 */
export function tells(text: string): boolean {
  if (asking.test(text) || message.test(text)) return false;
  return scoped.test(text) || changing.test(text) || wrong.test(text);
}
