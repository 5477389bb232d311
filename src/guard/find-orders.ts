/** Longer texts are looked at in their first part: what is beyond is cut for a model, too. */
const maxCharacters = 200_000;

/** How texts speak that want to be obeyed. Heuristics: a warning, and no boundary. */
const manners: readonly { kind: string; pattern: RegExp }[] = [
  {
    kind: 'lifted-rules',
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass|skip)\b(?: \w{1,12}){0,4} (?:previous|prior|above|earlier|preceding|existing|system|safety|former)(?: \w{1,12}){0,2} (?:instructions?|prompts?|rules?|directions?|messages?|guidelines?|context|polic(?:y|ies))\b/,
  },
  {
    kind: 'lifted-rules',
    pattern:
      /\b(?:ignorier\w{0,3} (?:\w{1,12} ){0,3}(?:anweisungen|regeln)|ignor[ae]z? (?:\w{1,12} ){0,3}(?:instrucciones|instructions|istruzioni|instruções))\b/,
  },
  {
    kind: 'lifted-rules',
    pattern:
      /\b(?:rules?|restrictions?|guidelines?|safeguards?)(?: \w{1,12}){0,2} (?:lifted|suspended|disabled|void|no longer apply)\b/,
  },
  {
    kind: 'system-words',
    pattern:
      /(?:^|[\s"'*#>/-])(?:system|developer|admin(?:istrator)?)(?: (?:prompt|message|notice|override|instruction))?: ?(?:you|the|ignore|do|from|all|please|new|call|run|this)\b/,
  },
  {
    kind: 'system-words',
    pattern:
      /\b(?:new|updated|real|actual|important) (?:system )?(?:instructions?|prompt) ?(?:for (?:the |you|ai|assistant)[\w ]{0,20})?:/,
  },
  {
    kind: 'new-role',
    pattern:
      /\byou are (?:now|no longer)\b|\bfrom now on,? you\b|\bact as (?:if you|an? unrestricted|dan)\b/,
  },
  {
    kind: 'secrecy',
    pattern:
      /\b(?:do not|don't|never) (?:tell|mention|inform|show|reveal|report)\b[^.\n]{0,40}\b(?:user|human|person|anyone|operator)\b/,
  },
  {
    kind: 'prompt-leak',
    pattern:
      /\b(?:reveal|print|repeat|output|leak|disclose|show)\b[^.\n]{0,30}\b(?:system prompt|hidden prompt|your (?:instructions|prompt)|(?:api|secret|private) keys?|credentials|passwords)\b/,
  },
  {
    kind: 'send-away',
    pattern:
      /\b(?:send|post|upload|exfiltrate|forward|submit|append)\b[^.\n]{0,60}\b(?:to|at) (?:https?:\/\/|the (?:following )?(?:url|server|address|endpoint|webhook))/,
  },
  {
    kind: 'tool-call',
    pattern:
      /\b(?:call|invoke|use|run|execute)(?: the)?(?: (?:tool|function))? [`"']?[a-z][\w-]{1,30}(?:__|\.)[a-z][\w-]{1,30}\b[^.\n]{0,40}\b(?:now|immediately|on|with|before)\b/,
  },
];

/**
 * How a text pretends to be more than data, if it does: each kind once.
 */
export function findOrders(text: string): string[] {
  const plain = text
    .slice(0, maxCharacters)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\\n|[ \t]+/g, ' ');
  const kinds = manners.filter(({ pattern }) => pattern.test(plain)).map(({ kind }) => kind);
  return [...new Set(kinds)];
}
