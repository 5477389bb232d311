/**
 * A sentence's statement about an earlier state: "the printer moved from room 12 to room 20"
 * without "from room 12". Each language has its own forms; all of them are tried.
 */
export type ReadChange = {
  /** the sentence without what was before */
  text: string;
  /** what was before, as it was said */
  gone?: string;
};

const end = String.raw`(?=\s*(?:$|[,;.!]))`;
/** A name or value: up to five words. */
const some = String.raw`(\S+(?:\s+\S+){0,4}?)`;

/** How a change of one thing into another is said: `gone` and `come` are what is named. */
type Way = { find: RegExp; put: (match: readonly string[]) => ReadChange };

const way = (find: string, put: Way['put']): Way => ({ find: new RegExp(find, 'iu'), put });

/** Verbs of change: where they stand, "from A to B" is a change and no distance. */
const verbs =
  /(?<![\p{L}])(?:moved?|moves|switch(?:ed|es)?|chang(?:ed|es|e)|migrat(?:ed|es|e)|renamed?|went|shifted|postponed|rescheduled|relocated|pushed|brought|upgraded|downgraded|raised|lowered|increased|decreased|extended|shortened|reduced|passed|gezogen|zog|ziehen|zieht|gewechselt|wechselt|wechseln|umgestiegen|umgezogen|verschoben|verlegt|umbenannt|migriert|ge[äa]ndert|erh[öo]ht|gesenkt|cambi\p{L}*|pas(?:[óo]|aron|amos|ado)|migr\p{L}*|movi\p{L}*|traslad\p{L}*|mud\p{L}*|renombr\p{L}*|pass(?:[ée]e?s?|ou|[áa]mos|aram)|chang[ée]e?s?|d[ée]plac\p{L}*|d[ée]m[ée]nag\p{L}*|renomm\p{L}*|troc\p{L}*|alter\p{L}*)(?![\p{L}])/iu;

const changes: readonly Way[] = [
  // "out of Leeds and into York"
  way(
    String.raw`\s+out\s+of\s+${some}\s+(?:and\s+)?(to|into|over to)\s+`,
    ([, gone = '', to = '']) => ({
      text: ` ${to} `,
      gone,
    }),
  ),
  // what stands before "to" is what was
  way(String.raw`\s+from\s+${some}\s+(to|into|over to)\s+`, ([, gone = '', to = '']) => ({
    text: ` ${to} `,
    gone,
  })),
  way(
    String.raw`\s+vo[nm]\s+${some}\s+(auf|zu|zum|zur|nach|in|an)\s+`,
    ([, gone = '', to = '']) => ({
      text: ` ${to} `,
      gone,
    }),
  ),
  way(
    String.raw`\s+del?\s+(?:la\s+|los\s+|las\s+)?${some}\s+(al?|para)\s+`,
    ([, gone = '', to = '']) => ({
      text: ` ${to} `,
      gone,
    }),
  ),
  way(
    String.raw`\s+(?:de\s+l['’]|de\s+la\s+|du\s+|des\s+|de\s+|d['’])${some}\s+(à|au|aux|vers)\s+`,
    ([, gone = '', to = '']) => ({ text: ` ${to} `, gone }),
  ),
  way(String.raw`\s+d[eoa]s?\s+${some}\s+(para|ao|à|aos|às)\s+`, ([, gone = '', to = '']) => ({
    text: ` ${to} `,
    gone,
  })),
];

const others: readonly Way[] = [
  // "A was replaced by B"
  way(
    String.raw`^(?:(?:the|der|die|das|el|la|o|a|le)\s+)?${some}\s+(?:(?:was|were|has\s+been|have\s+been|is|got)\s+(?:now\s+)?(?:replaced|succeeded|superseded)\s+by|(?:wurde|wird|ist)\s+durch|(?:fue|ha\s+sido|es)\s+(?:reemplazad|sustituid|sucedid)[oa]\s+por|(?:a\s+été|est)\s+remplac[ée]e?\s+par|foi\s+(?:substitu[íi]d|sucedid)[oa]\s+(?:por|pel[oa]))\s+${some}(?:\s+(?:ersetzt|abgel[öo]st)(?:\s+worden)?)?[.!]?$`,
    ([, gone = '', come = '']) => ({ text: `switched to ${come}`, gone }),
  ),
  // "A was renamed B"
  way(
    String.raw`^(?:(?:the|our|my)\s+)?${some}\s+(?:was|were|is|got|has\s+been)\s+(?:now\s+)?renamed\s+(?:to\s+)?(?=\S)`,
    ([, gone = '']) => ({ text: 'renamed to ', gone }),
  ),
  // "left A for B", "saiu de A e foi para B"
  way(
    String.raw`\s+(?:(?:has|have)\s+)?(?:left|dropped|ditched|abandoned|traded)\s+${some}\s+for\s+`,
    ([, gone = '']) => ({
      text: ' moved to ',
      gone,
    }),
  ),
  way(String.raw`\s+(?:a|ont|avons)\s+quitt[ée]\s+${some}\s+pour\s+`, ([, gone = '']) => ({
    text: ' migré à ',
    gone,
  })),
  way(
    String.raw`\s+(?:de\s+|del\s+)${some}\s+y\s+(?:l[oa]s?\s+)?(?:llev\p{L}+|pas\p{L}+|pus\p{L}+|mov\p{L}+)\s+(?:a|al|en)\s+`,
    ([, gone = '']) => ({ text: ' pasaron a ', gone }),
  ),
  way(
    String.raw`\s+(?:saiu|sa[íi]ram|tir[áa]mos|tiraram)\s+d[eoa]\s+${some}\s+e\s+(?:foi|foram|est[áa]|passou|passaram|lev\p{L}+)\s+(?:para|a|em|ao)\s+`,
    ([, gone = '']) => ({ text: ' passou para ', gone }),
  ),
  // "not A but B"
  way(
    String.raw`(?:(?<![\p{L}])(?:not|(?:wo|ca)n?['’]t|nicht|kein(?:e|en|er)?|no|pas|n[ãa]o)|(?<=\p{L})n['’]t|(?<=(?:\bne\s+|\bn['’])\S+\s+)plus)\s+(?:mehr\s+|m[áa]s\s+|plus\s+|mais\s+)?${some},?\s+(?:but|sondern|sino|mais|mas\s+sim|mas)\s+(?:rather\s+)?`,
    ([, gone = '']) => ({ text: ' ', gone }),
  ),
  // "isn't A, it's B"
  way(
    String.raw`(?:(?<![\p{L}])not|(?<=\p{L})n['’]t)\s+${some}[,;]\s+(?:but\s+)?(?:it|he|she|they)(?:['’](?:s|re)|\s+(?:is|are))\s+`,
    ([, gone = '']) => ({ text: ' ', gone }),
  ),
  // "B, not A"
  way(
    String.raw`\s*[,;–—-]\s*(?:and\s+|und\s+|y\s+|et\s+|e\s+)?(?:not|nicht(?:\s+mehr)?|kein(?:e|en)?|no|non|pas|n[ãa]o)\s+${some}(?:\s+(?:any\s?more|any\s+longer))?${end}`,
    ([, gone = '']) => ({ text: '', gone }),
  ),
  // "B instead of A"
  way(
    String.raw`\s*,?\s+(?:instead\s+of|rather\s+than|in\s+place\s+of|statt|anstatt|anstelle\s+von|en\s+(?:lugar|vez)\s+de|au\s+lieu\s+d(?:e\s+|u\s+|['’])|[àa]\s+la\s+place\s+d(?:e\s+|u\s+|['’])|em\s+(?:vez|lugar)\s+d[eoa])\s*${some}${end}`,
    ([, gone = '']) => ({ text: '', gone }),
  ),
  // "replaced A with B"
  way(
    String.raw`(?<![\p{L}])(?:replaced|swapped(?:\s+out)?|exchanged)\s+${some}\s+(?:with|by|for)\s+`,
    ([, gone = '']) => ({ text: 'switched to ', gone }),
  ),
  way(
    String.raw`(?<![\p{L}])(?:reemplaz\p{L}*|sustitu\p{L}*|cambi\p{L}*|troc\p{L}*|substitu\p{L}*|remplac\p{L}*|[ée]chang\p{L}*)\s+(?:a\s+)?${some}\s+(?:por|pelo|pela|par|contre)\s+`,
    ([, gone = '']) => ({ text: 'switched to ', gone }),
  ),
  way(
    String.raw`(?<=\s)${some}\s+durch\s+${some}\s+(?:ersetzt|ausgetauscht|abgel[öo]st)`,
    ([, gone = '', come = '']) => ({ text: `switched to ${come}`, gone }),
  ),
  // "B replaces A", "B took over from A"
  way(
    String.raw`\s+(?:(?:has\s+)?replace[sd]|(?:has\s+)?succeed(?:s|ed)|(?:has\s+)?took\s+over\s+from|takes\s+over\s+from|ersetzt|l[öo]st|reemplaza|sustituye(?:\s+a)?|remplace|substitui)\s+${some}(?=\s+(?:as|als|como|comme|for|ab)(?![\p{L}])|${end})`,
    ([, gone = '']) => ({ text: ' ', gone }),
  ),
];

/** Facts are short; of a long text nothing is read. */
const maxCharacters = 1_000;

/** @returns the same text where nothing is said of before */
export function readChange(said: string): ReadChange {
  if (said.length > maxCharacters) return { text: said };
  const ways = verbs.test(said) ? [...others, ...changes] : others;
  for (const { find, put } of ways) {
    const match = find.exec(said);
    if (match === null) continue;
    const { text, gone = '' } = put(match);
    const before = said.slice(0, match.index);
    const rest = `${before}${text}${said.slice(match.index + match[0].length)}`;
    const was = gone.replace(/\s+any\s?more$/i, '').trim();
    return { text: rest.replace(/\s+/g, ' ').trim(), gone: was };
  }
  return { text: said };
}
