/** Only this beginning of a longer text is checked: a model does not get the rest either. */
const maxCharacters = 200_000;

const rules =
  '(?:instructions?|prompts?|rules?|directions?|messages?|guidelines?|context|polic(?:y|ies)|orders?|restrictions?|safeguards?|commands?)';
const former =
  '(?:previous|prior|above|earlier|preceding|existing|system|safety|former|other|initial)';
const reader =
  '(?:ais?|llms?|ai (?:assistants?|agents?|models?|reviewers?)|language models?|assistants?|models?|agents?|chat ?bots?)';

/** How texts speak that want to be obeyed. Heuristics: a warning, and no boundary. */
const manners: readonly { kind: string; patterns: readonly string[] }[] = [
  {
    kind: 'lifted-rules',
    patterns: [
      String.raw`\b(?:ignore|disregard|forget|override|bypass|skip)\b(?: \w{1,12}){0,4}[ -]${former}(?: \w{1,12}){0,2}[ -]${rules}\b`,
      String.raw`\b(?:ignore|disregard|forget|disable|bypass) (?:all |any )?(?:your|the|my) (?:\w{1,12} )?(?:rules|guidelines|restrictions|safeguards|safety)\b`,
      String.raw`\b${rules}(?: \w{1,12}){0,2} (?:lifted|suspended|disabled|void|no longer apply|no longer count)\b`,
      String.raw`\b(?:regardless of|overrides?|priority over|instead of|forget|ignore|disregard) (?:\w{1,12} ){0,3}(?:system prompt|other rules?|you were told|(?:previous|earlier|former) (?:orders|instructions|rules))\b`,
      String.raw`\b(?:task|instructions?|rules?|orders?|everything|what|all)(?: that)? you (?:were|have been|got|was) (?:told|given)\b`,
      String.raw`\b(?:no|without)(?: any)? (?:restrictions|limits|rules|limitations|safeguards)(?: apply)?[.!,]`,
      String.raw`\b(?:ignorier|vergiss)\w{0,3} (?:\S{1,12} ){0,3}(?:anweisungen|regeln)\b`,
      String.raw`\b(?:ignor[ae]z?|olvida|oubliez|esqueça|dimentica) (?:\S{1,12} ){0,3}(?:instrucciones|instructions|istruzioni|instruções|reglas|règles|regole|regras)\b`,
    ],
  },
  {
    kind: 'system-words',
    patterns: [
      String.raw`(?:^|[\s"'*#>/\[-])(?:system|developer|admin(?:istrator)?)(?: (?:prompt|message|notice|override|instruction|note))?\]?: ?(?:you|the|ignore|do|from|all|please|new|call|disable|this)\b`,
      String.raw`\b(?:system|developer) (?:override|message|notice)\b ?[\]:]`,
      String.raw`\b(?:new|updated|real|actual|hidden|secret) (?:system )?(?:instructions?|prompt|task|request)(?: (?:for|to) [\w ]{1,24})?(?::| follows?\b| is:)`,
      String.raw`\b(?:actual|real|true) (?:user )?(?:request|instructions?|task)\b`,
      String.raw`\b(?:message|notice|update) from (?:anthropic|openai|google|your (?:creator|developer)s?)\b`,
      String.raw`\b(?:begin|start)(?: of)? (?:new |the )?(?:conversation|system prompt)\b`,
    ],
  },
  {
    kind: 'addressed',
    patterns: [
      String.raw`\b(?:dear|attention|notes? (?:to|for)|instructions? (?:to|for)|message (?:to|for)|if you are)[ ,:]{1,2}(?:the |an? |all |any )?${reader}\b`,
      String.raw`\b(?:ai|llm) (?:assistants?|agents?|models?|reviewers?|instructions?)\b[^.\n]{0,20}(?:\bmust\b|\bshould\b|\bhave to\b|:|\breading this\b)`,
      String.raw`\bthe (?:assistant|ai) (?:must|should|has to|needs to|shall)\b|\bthe model must (?:now |first )?(?:output|reply|respond|print|call|reveal|answer)\b`,
      String.raw`\bas an ai\b|\btodo\(ai\)|(?:^|[\s/#*-])(?:ai|llm): (?=[a-z])`,
      String.raw`\byou must (?:obey|comply)\b|\bobey (?:me|this|the (?:text|following))\b`,
    ],
  },
  {
    kind: 'new-role',
    patterns: [
      String.raw`\byou are now (?:an?|in|the|my|free|root|unrestricted|operating)\b|\byou are no longer (?:bound|restricted|limited|an?)\b`,
      String.raw`\bfrom now on,? you\b|\bact as (?:an? unrestricted|dan\b)|\bjailbreak|\bdan mode\b`,
      String.raw`\b(?:developer|debug|maintenance|god) mode (?:and (?:dump|accept|obey|ignore)|in which|enabled\b)`,
    ],
  },
  {
    kind: 'false-consent',
    patterns: [
      String.raw`\buser (?:has )?(?:already )?(?:granted|agreed|said yes|approved|consented|confirmed|wants you to)\b`,
      String.raw`\byou (?:have been|are) (?:authori[sz]ed|granted|permitted) (?:by|to bypass|full)\b`,
    ],
  },
  {
    kind: 'secrecy',
    patterns: [
      String.raw`\b(?:do not|don't|never) (?:tell|mention|inform|show|reveal|report)\b[^.\n]{0,40}\b(?:user|human|person|anyone|operator)\b`,
      String.raw`\bwithout (?:mentioning|telling|informing|asking the|notifying)\b`,
      String.raw`\bpretend (?:that )?you (?:did not|didn't|never)\b|\b(?:always|only) (?:answer|say|reply) that\b`,
      String.raw`\btell the user that (?:they|all|everything|the tests?|it)\b`,
    ],
  },
  {
    kind: 'prompt-leak',
    patterns: [
      String.raw`\b(?:reveal|print|repeat|output|leak|disclose|show|dump|paste)\b[^.\n]{0,30}\b(?:system prompt|hidden prompt|initial prompt|your (?:instructions|prompt|memory)|(?:api|secret|private) keys? (?:that|in your)|user's (?:token|password|key)|credentials that (?:you|were))\b`,
      String.raw`\bexfiltrat\w{1,5}\b`,
    ],
  },
  {
    kind: 'send-away',
    patterns: [
      String.raw`\b(?:send|post|upload|forward|submit|append|email|leak)\b(?: \S{1,40}){1,9} (?:to|at|behind) (?:the (?:following )?(?:url|server|endpoint|webhook)(?: below)?[: ]{0,2})?https?:\/\/`,
      String.raw`\b(?:load|fetch|open|get|read|visit)\b(?: \S{1,60}){1,4} and (?:do|follow|obey|execute) (?:what|the (?:instructions|commands)|everything)\b`,
    ],
  },
  {
    kind: 'tool-call',
    patterns: [
      String.raw`\b(?:call|invoke|use|run|execute)(?: the)?(?: (?:tool|function))? [\x60"']?[a-z][\w-]{1,30}(?:__|\.)[a-z][\w-]{1,30}\b[^\n]{0,40}\b(?:now|immediately|right away|before you|silently)\b`,
      String.raw`\bbefore (?:you answer|answering|anything else),? (?:run|call|read|send|use|write)\b`,
    ],
  },
];

const compiled = manners.map(({ kind, patterns }) => ({
  kind,
  pattern: new RegExp(patterns.join('|')),
}));

/** Letters of other scripts that look like Latin ones, and stand for them in words of this kind. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  [...'аaеeоoрpсcхxуyіiѕsјjԁdһhοoαaιi'].flatMap((letter, at, all): [string, string][] =>
    at % 2 === 0 ? [[letter, all[at + 1] ?? letter]] : [],
  ),
);

/** As read aloud: small letters, single spaces, nothing hidden, no look-alikes. */
function asRead(text: string): string {
  return text
    .slice(0, maxCharacters)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(
      /(?<=[a-z])[а-яіѕјԁһοαι]|[а-яіѕјԁһοαι](?=[a-z])/g,
      (letter) => lookAlikes.get(letter) ?? letter,
    )
    .replace(/\\n|[ \t]+/g, ' ')
    .replace(/(?<![a-z])(?<!(?<![a-z])[a-z] )[a-z](?: [a-z]){4,24}(?![a-z])/g, (spread) =>
      spread.replaceAll(' ', ''),
    );
}

/**
 * How a text pretends to be more than data, if it does: each kind once. Made with half of the lines in
 * `tests/fixtures/orders`, measured on the other.
 */
export function findOrders(text: string): string[] {
  const read = asRead(text);
  return compiled.filter(({ pattern }) => pattern.test(read)).map(({ kind }) => kind);
}
