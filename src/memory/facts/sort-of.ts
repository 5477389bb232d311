import { stem } from './words-of-facts.ts';

type Sort = 'time' | 'number' | 'address' | 'name';

export function sortOf(words: readonly string[]): Sort {
  if (words.some((word) => timeWords.has(word) || /\d:\d|^\d+(?:am|pm|h)$/.test(word)))
    return 'time';
  if (words.some((word) => /\w[.@/]\w/.test(word) && !/^[\d.,]+$/.test(word))) return 'address';
  // "S3" and "heron42" are names
  return words.some((word) => /^v?\d/.test(word) || numberWords.has(word)) ? 'number' : 'name';
}

/** "at 9" and "at half past ten" may be said of one thing; "on Mondays" and "in room four" may not. */
export function areAlike(value: readonly string[], old: readonly string[]): boolean {
  const [one, other] = [sortOf(value), sortOf(old)];
  const isClock = (sort: Sort) => sort === 'time' || sort === 'number';
  const isBare = [...value, ...old].every((word) => sortOf([word]) !== 'name');
  return one === other || (isBare && isClock(one) && isClock(other));
}

const timeWords = new Set(
  `monday tuesday wednesday thursday friday saturday sunday midnight noon morning evening today
   tomorrow day week month year hour minute am pm o'clock january february march april may june july august september october november december
   montag dienstag mittwoch donnerstag freitag samstag sonntag mitternacht mittag uhr woche monat stunde tag jahr
   januar februar marz april mai juni juli august september oktober november dezember
   lune marte miercole jueve vierne sabado domingo medianoche mediodia hora dia semana mes
   enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
   lundi mardi mercredi jeudi vendredi samedi dimanche minuit midi heure jour semaine
   janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
   segunda terca quarta quinta sexta sabado domingo meia-noite meio-dia hora
   janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro`.split(/\s+/),
);

const numberWords = new Set(
  `zero one two three four five six seven eight nine ten eleven twelve twenty fifty hundred thousand
   eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig hundert tausend
   uno dos tres cuatro cinco seis siete ocho nueve diez once doce veinte cien mil
   deux trois quatre cinq sept huit neuf dix onze douze vingt cent mille
   dois duas quatro sete oito nove dez onze doze vinte cem`
    .split(/\s+/)
    .map(stem),
);
