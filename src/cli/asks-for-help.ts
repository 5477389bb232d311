/** What is said around a question, and nothing of it. */
const said = [
  '(?:hi|hello|hey|hallo|bonjour|salut|hola|good (?:morning|evening)|guten (?:morgen|tag|abend))(?: (?:there|cuervo))?',
  "(?:thank you|thanks|danke|merci|gracias)(?: (?:so much|very much|a lot|schön|beaucoup))?(?:,? you(?: are|['’]re) \\p{L}+)?",
];
/** Questions about cuervo itself. */
const asked = [
  'help(?: me)?(?:,? please)?|hilfe|aide|ayuda|who are you',
  'what (?:can|do|could) (?:you|cuervo|i) (?:do|ask|help)(?: (?:you|me))?(?: (?:here|with|for me))*',
  'wer bist du|was kannst du(?: (?:alles|tun))*|qui es-tu|que peux-tu faire|quién eres|qué puedes hacer',
];

const only = (...parts: readonly string[]): RegExp =>
  new RegExp(
    String.raw`^[\s¿¡]*(?:(?:${parts.join('|')})(?![\p{L}\p{N}])[\s,.:;!?¿¡]*(?:(?:and|und|et|y)\s+)?)+$`,
    'iu',
  );
const forms = only(...said, ...asked);
const smallTalk = only(...said);
const longest = 120;

/** What a person types who greets, or wants to know how to begin; no question about a folder. */
export function asksForHelp(text: string): boolean {
  return text.length <= longest && forms.test(text);
}

/** A greeting or thanks, and nothing that is asked: a model answers it itself. */
export function isSmallTalk(text: string): boolean {
  return text.length <= longest && smallTalk.test(text);
}
