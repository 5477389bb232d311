/** What is said around a question, and nothing of it. */
const said = [
  '(?:hi|hello|hey|hallo|moin|servus|bonjour|salut|bonsoir|coucou|hola|good (?:day|morning|afternoon|evening)|guten (?:tag|morgen|abend)|buen[oa]s (?:días|tardes|noches))(?: (?:there|cuervo|again|everyone|zusammen|à tous|a todos))?',
  "(?:many thanks|thank you|thanks|thx|(?:vielen |besten )?dank|danke(?:schön)?|(?:un grand |mille )?merci|(?:muchas |mil )?gracias)(?: (?:so much|very much|a lot|again|schön|sehr|beaucoup|bien|cuervo|(?:for|für|pour|por) (?:your|the|deine|die|ton|votre|tu|la|l['’]) ?(?:help|hilfe|aide|ayuda)))*",
  "(?:you(?: are|['’]re)|(?:that|it|this)(?: is| was|['’]s)|du bist|das (?:ist|war)|tu es|c['’](?:est|était)|eres|(?:está|estuvo)) (?:(?:so|very|really|sehr|echt|très|muy) )?(?:great|good|nice|perfect|awesome|amazing|wonderful|brilliant|cool|helpful|the best|toll|super|klasse|gut|spitze|génial|parfait|genial|perfecto|bien)",
  "(?:how are you|how(?: is|['’]s) it going|what['’]?s up|nice to meet you|wie geht(?: es dir|['’]?s(?: dir)?)|(?:comment )?ça va|comment vas[- ]tu|cómo estás|qué tal)(?: (?:today|doing|heute|hoy))*",
  'please|bitte|por favor|(?:bye|goodbye|good bye|good night|see you(?: later)?|tschüss|auf wiedersehen|au revoir|à bientôt|adiós|hasta luego|ciao)',
];

const forWhom =
  '(?: (?:here|for me|with me|me with|with|für mich|hier|alles|tun|machen|pour moi|ici|por mí|aquí|at all))*';
/** Questions about cuervo itself. */
const asked = [
  'help(?: me)?|hilfe|hilf mir|aide|aidez?-moi|ayuda|ayúdame',
  `what (?:can|do|could) (?:you|cuervo|i) (?:do|ask|help)(?: (?:you|me))?${forWhom}|(?:can|could) you help(?: me)?|how (?:can|do|could) you help(?: me)?|how (?:can|do) i use (?:you|cuervo)`,
  "(?:who|what) (?:exactly )?are you|what(?: is|['’]s) your name|who (?:made|built|wrote|created) you|are you (?:an? )?(?:ai|bot|robot|human|person|model|machine|real)",
  `(?:wer|was) bist du|wie hei(?:ß|ss)t du|was kannst du${forWhom}|(?:wobei|wie|womit) kannst du mir helfen|kannst du mir helfen|was kann ich (?:dich )?fragen`,
  `qui (?:es-tu|êtes-vous)|(?:tu es|t['’]es) qui|comment t['’]appelles-tu|(?:que|qu['’]est-ce que)(?: tu)? (?:peux|sais|pouvez|savez)(?:-(?:tu|vous))? faire${forWhom}|(?:comment )?(?:peux-tu|pouvez-vous) m['’]aider`,
  `(?:quién|qué) eres|cómo te llamas|qué (?:puedes|sabes) hacer${forWhom}|(?:(?:en qué|cómo) )?(?:me puedes ayudar|puedes ayudarme)`,
];

const only = (...parts: readonly string[]) =>
  new RegExp(
    String.raw`^[\s¿¡]*(?:(?:${parts.join('|')})(?![\p{L}\p{N}])[\s,.:;!?¿¡–-]*(?:(?:and|und|et|y)\s+)?)+$`,
    'iu',
  );
const forms = only(...said, ...asked);
const smallTalk = only(...said);

/** What a person types who greets, or wants to know how to begin; no question about a folder. */
export function asksForHelp(text: string): boolean {
  return text.length <= longest && forms.test(text);
}

/** A greeting or thanks, and nothing that is asked: a model answers it itself. */
export function isSmallTalk(text: string): boolean {
  return text.length <= longest && smallTalk.test(text);
}

const longest = 120;
