import type { MemoryHit, MemoryRecord, MemoryRow } from '../../contracts/memory.ts';
import { plainWords } from '../../lib/text/words.ts';
import { contentWords } from '../content-words.ts';
import { isKept } from '../layers.ts';
import type { Candidate, Ranked } from './rank-candidates.ts';

export type DistinctHit = { hit: MemoryHit; record: MemoryRecord };

/**
 * The best as hits. Reads only the records that are shown. Of two records with the same words,
 * project and kind, as a turn and the insight made from it, the better one is shown.
 *
 * @param ranked best first
 * @param read rows by the ids of their candidates; one that is missing was taken away meanwhile
 */
export async function distinctHits<Found extends Candidate>(
  ranked: readonly Ranked<Found>[],
  limit: number,
  read: (rows: readonly Found[]) => Promise<ReadonlyMap<string, MemoryRow>>,
): Promise<DistinctHit[]> {
  const hits: DistinctHit[] = [];
  const said = new Set<string>();
  for (let at = 0; at < ranked.length && hits.length < limit; at += limit) {
    const page = ranked.slice(at, at + limit);
    const rows = await read(page);
    for (const { id: candidate, score, factors } of page) {
      const row = rows.get(candidate);
      if (row === undefined) continue;
      const { id, record } = row;
      const { project, kind, source, text } = record;
      const words = JSON.stringify([project, kind, source, text]);
      if (said.has(words)) continue;
      said.add(words);
      const { context: _indexed, ...shown } = record;
      hits.push({ hit: { id, score, ...shown, factors }, record });
    }
  }
  return hits.slice(0, limit);
}

/**
 * A fact and a turn, or two facts, are on one subject if they share this part of the shorter text's
 * words.
 */
const sharedWithTalk = 0.5;
const sharedWithFact = 0.3;
/** A fact that is clearly worse stays behind an older one, however new it is. */
const leastOfOlder = 0.75;

/**
 * Puts a fact before questions and answers on its subject: the answer came from the fact, and the
 * question tells nothing. Puts the newer of two facts first, as it may be the valid one. A fact
 * that rises takes the place and score of the hit that it passes; the hits between move down by
 * one.
 *
 * @param hits best first
 */
export function factsFirst(hits: readonly MemoryHit[]): MemoryHit[] {
  const facts = hits.filter(isKept);
  if (facts.length === 0) return [...hits];
  const words = new Map(hits.map((hit) => [hit, new Set(contentWords(hit.text))]));
  return raiseHits(hits, facts, (fact, other) => {
    const shared = sharedWords(words.get(other), words.get(fact));
    return isTalk(other)
      ? shared >= sharedWithTalk
      : isOlder(other, fact) && shared >= sharedWithFact;
  });
}

function isTalk({ kind }: MemoryHit): boolean {
  return kind === 'question' || kind === 'answer';
}

function isOlder(other: MemoryHit, fact: MemoryHit): boolean {
  return isKept(other) && other.ts < fact.ts && fact.score >= leastOfOlder * other.score;
}

/** As a share of the shorter one's, 0 to 1. */
function sharedWords(
  one: ReadonlySet<string> = new Set(),
  other: ReadonlySet<string> = new Set(),
): number {
  return one.intersection(other).size / Math.max(1, Math.min(one.size, other.size));
}

/** Factor of a fact without the time or number that is asked for. */
const unfit = 0.7;

/**
 * Puts facts with the kind of answer that is asked for first: "when do we ship?" needs a sentence
 * with a time.
 *
 * @param hits best first
 */
export function fitFacts(hits: readonly MemoryHit[], question: string): MemoryHit[] {
  const wanted = askedFor(question);
  if (wanted === undefined) return [...hits];
  const fitted = hits.map((hit): MemoryHit => {
    if (!isKept(hit)) return hit;
    const texts = [hit.text, ...(hit.replaced ?? []).map(({ text }) => text)];
    const fit = texts.some((text) => tells(wanted, text)) ? 1 : unfit;
    const { likeness } = hit.factors;
    const near = likeness === undefined ? {} : { likeness: likeness * fit };
    return { ...hit, score: hit.score * fit, factors: { ...hit.factors, ...near, fit } };
  });
  // of equals the order stays
  return fitted.sort((one, other) => other.score - one.score);
}

/**
 * Moves rising hits up. Each takes the place and score of the first hit that it passes; the hits
 * between move down by one, so that scores keep falling.
 *
 * @param hits best first
 * @param rising some of them, in their order
 */
function raiseHits(
  hits: readonly MemoryHit[],
  rising: readonly MemoryHit[],
  passes: (riser: MemoryHit, other: MemoryHit) => boolean,
): MemoryHit[] {
  const ordered = [...hits];
  for (const riser of rising) {
    const at = ordered.indexOf(riser);
    const before = ordered.findIndex((other, place) => place < at && passes(riser, other));
    if (before === -1) continue;
    ordered.splice(at, 1);
    ordered.splice(before, 0, riser);
  }
  return ordered.map((hit, place) => ({ ...hit, score: hits[place]?.score ?? hit.score }));
}

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
