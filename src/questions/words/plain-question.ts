/** What people type around a question, and for words of it. */
const rewritten: readonly (readonly [RegExp, string])[] = [
  // `hey, can you tell me where …`, `… please`, `… thx`
  [
    /^\s*(?:(?:(?:hi|hey|hello)(?: there(?=[,!.]))?|hallo|moin|guten (?:tag|morgen|abend)|bonjour|salut|bonsoir|hola|buen[oa]s (?:días|tardes)|good (?:morning|afternoon|evening)|ok(?:ay)?|so|um+|well|and|pls|plz)\b[\s,!.]*)+(?=\S)/i,
    '',
  ],
  [
    /^\s*(?:please[\s,]+)?(?:(?:can|could|would) (?:you|u|someone|anyone) (?:please )?(?:tell|show|explain to) me|do you know|any idea|(?:i|we) (?:want|need|would like|wanna) to (?:know|see|find out)|i(?:'m| am) (?:looking|searching) for|i wonder|wondering|let me know)[\s,:]+(?=\S)/i,
    '',
  ],
  [/[\s,]+(?:pl(?:ea)?[sz]e?|thx|thanks|thank you|again)(?=\s*[?.!]*$)/i, ''],
  [
    /^\s*count (?:all )?(?:the )?(\p{L}.*?)(?=\s+(?:in|of|by|with|that)\s|\s*[?.!]*$)/iu,
    'how many $1 are there',
  ],
  // What a shell is told, and the workspace as a place.
  [/^\s*(?:ls|dir)\s*$/i, 'list the files'],
  [
    /^\s*what(?:'s| is| files are| do we have)? in (?:this|the current) (?:folder|directory|dir)\b/i,
    'list the files',
  ],
  [/\bin (?:this|the current) (?:folder|directory|dir)\b/gi, 'here'],
  // Files that go by the program that makes them.
  [/(?<![\p{L}\p{N}_$.-])word (?:documents?|files?)(?![\p{L}\p{N}_-])/giu, 'docx files'],
  [/(?<![\p{L}\p{N}_$.-])excel (?:documents?|files?|sheets?)(?![\p{L}\p{N}_-])/giu, 'xlsx files'],
  [/(?<![\p{L}\p{N}_$./-])(pdf|docx)(?:s| documents?)(?![\p{L}\p{N}_-])/giu, '$1 files'],
  // `whats`, `what s`, `doesnt`
  [/(?<![\p{L}\p{N}_$.-])(what|where|who|how|when|why|that|there)[´`]?s(?=\s)/giu, "$1's"],
  [
    /(?<![\p{L}\p{N}_$.-])(does|is|do|did|was|are|has|have|would|could|should|ca)nt(?=\s)/giu,
    "$1n't",
  ],
  [
    /(?<![\p{L}\p{N}_$.-])min(?:imal|\.)?(?=\s+(?:required |supported )?[a-z]+(?:[ .]?js)? version)/giu,
    'minimum',
  ],
  [/\btim(?:e|es|ed|ing)[ -]out\b/gi, 'timeout'],
  // `the replay stuff`
  [
    /(?<=[\p{L}\p{N}]) (?:stuff|things?|bits?)(?=\s*[?.!,]*$|\s+(?:is|are|was|were|work|works|in|of|from|done)\b)/giu,
    '',
  ],
];

/** A question without what is said around it, its words written out; texts of code stay as they are. */
export function plainQuestion(question: string): string {
  if (question.includes('\n') || question.length > longest) return question;
  const plain = rewritten.reduce((text, [form, by]) => text.replace(form, by), question).trim();
  return plain === '' ? question : plain;
}

const longest = 200;
