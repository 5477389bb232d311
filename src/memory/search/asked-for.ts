import { plainWords } from '../../lib/text/words.ts';

/** The sort of answer that a question's words ask for. */
export type AskedFor = 'time' | 'number';

/** Without accents, in five languages; each stands at a beginning of a word. */
const asksTime = begins(`
  when|what time|until when|since when|how often|how soon|at what hour
  |(?:which|what|in which|in what|on which|on what) (?:day|date|weekday|month|year|hour|week|season)
  |wann|um wie viel uhr|wie spat|wie oft|(?:an )?welche[nrms]? (?:tag|datum|wochentag|monat|jahr|woche)|bis wann|ab wann
  |cuando|a que hora|que (?:dia|fecha|mes|ano)|cada cuanto|con que frecuencia
  |quand|a quelle heure|quel(?:le)? (?:jour|date|mois|annee|semaine)|a quelle frequence
  |quando|a que horas|(?:em )?que (?:dia|data|mes)|com que frequencia
`);
const asksNumber = begins(`
  how (?:many|much|old|tall|high|long|far|big|large|heavy|fast|wide|deep|hot|cold|warm)
  |(?:what|which)(?: is| was| are)?(?: the)?(?: phone| room| house| version)? (?:number|port|price|amount|percentage|temperature|speed|size|age)
  |what (?:does|do|did) .{1,60} cost
  |wie (?:viele?|alt|gross|hoch|lang|lange|weit|schwer|schnell|breit|tief|warm|kalt|teuer)|wieviele?
  |welche[nrms]? (?:nummer|port|preis|betrag|grosse)|was (?:kostet|kosten|hat .{1,60} gekostet)
  |cuant[oa]s?|que (?:numero|puerto|precio|edad|tamano)
  |combien|quel(?:le)? (?:numero|port|prix|age|taille)
  |quant[oa]s?|qual (?:e|era) (?:o|a) (?:numero|porta|preco|idade)
`);

/** Words that tell a time or how often, and numbers, as beginnings of words. */
const tellsTime = new RegExp(
  String.raw`(?<![\p{L}])(?:${String.raw`
  mon(?:day)?s?|tues?(?:day)?s?|wed(?:nesday)?s?|thur?s?(?:day)?s?|fri(?:day)?s?|sat(?:urday)?s?|sun(?:day)?s?|week\p{L}*|day|days|daily|month\p{L}*|year\p{L}*
  |hour\p{L}*|minute\p{L}*|second\p{L}*|quarter\p{L}*|morning\p{L}*|noon|evening\p{L}*|night\p{L}*|midnight|afternoon\p{L}*|lunch\p{L}*|dawn|today|tomorrow|yesterday
  |jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|spring|summer|autumn|winter|christmas|easter
  |always|never|often|rarely|once|twice|until|before|after|during|every|each|am|pm|o'clock|end of|start of
  |\p{L}*(?:tags?|tage|woche\p{L}*|stunden?|minuten?|monat\p{L}*|jahr\p{L}*|mittag\p{L}*|abends?|morgens?|nachts?|uhr|quartal\p{L}*)|jede[nrms]?|immer|nie|oft|bis|vor|nach|ab
  |januar|februar|marz|mai|juni|juli|oktober|dezember|fruhling|sommer|herbst
  |lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|dia\p{L}*|semana\p{L}*|mes(?:es)?|anos?|horas?|minutos?|trimestre|manana|tarde|noche|mediodia|medianoche|siempre|nunca|cada|hasta|antes|despues
  |enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|primavera|verano|otono|invierno
  |lundi\p{L}*|mardi\p{L}*|mercredi\p{L}*|jeudi\p{L}*|vendredi\p{L}*|samedi\p{L}*|dimanche\p{L}*|jours?|semaines?|mois|ans?|annees?|heures?|matin|midi|minuit|soir|nuit|toujours|jamais|chaque|avant|apres|jusqu
  |janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre|printemps|ete|automne|hiver
  |segundas?|tercas?|quartas?|quintas?|sextas?|manha|noite|meio-dia|meia-noite|sempre|ate|depois
  |janeiro|fevereiro|marco|maio|junho|julho|setembro|outubro|novembro|dezembro|outono|inverno`.replace(
    /\s*\n\s*/g,
    '',
  )})(?![\p{L}])`,
  'u',
);
const tellsNumber = new RegExp(
  String.raw`\d|(?<![\p{L}])(?:${String.raw`
  one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred\p{L}*|thousand\p{L}*|million\p{L}*|half|quarter|dozen|once|twice|double|single|no|none|first|second|third|fourth
  |eine?[nrms]?|zwei\p{L}*|drei\p{L}*|vier\p{L}*|funf\p{L}*|sechs\p{L}*|sieb\p{L}*|acht\p{L}*|neun\p{L}*|zehn\p{L}*|elf|zwolf|\p{L}*zig|hundert\p{L}*|tausend\p{L}*|halb\p{L}*|kein\p{L}*
  |un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|\p{L}*(?:enta|inte)|cien\p{L}*|mil|medi[oa]|ningun\p{L}*
  |une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|vingt|\p{L}*ante|cent\p{L}*|mille|demi\p{L}*|aucun\p{L}*
  |uma?|dois|duas|quatro|sete|oito|nove|dez|doze|vinte|meia|nenhum\p{L}*`.replace(
    /\s*\n\s*/g,
    '',
  )})(?![\p{L}])`,
  'u',
);

function begins(ways: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}])(?:${ways.replace(/\s*\n\s*/g, '')})(?![\p{L}])`, 'u');
}

/** Questions are short; of a long text nothing is read. */
const maxCharacters = 500;

/** @returns undefined where anything may answer */
export function askedFor(question: string): AskedFor | undefined {
  if (question.length > maxCharacters) return undefined;
  const plain = plainWords(question).join(' ');
  if (asksTime.test(plain)) return 'time';
  return asksNumber.test(plain) ? 'number' : undefined;
}

/** Whether a text holds what is asked for: no weekday or number, no answer to "when". */
export function tells(wanted: AskedFor, text: string): boolean {
  const plain = plainWords(text.slice(0, 4 * maxCharacters)).join(' ');
  if (tellsNumber.test(plain)) return true;
  return wanted === 'time' && tellsTime.test(plain);
}
