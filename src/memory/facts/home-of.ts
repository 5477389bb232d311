import { nowWords, ownWords, plainWords, someWords, words } from '../../contracts/fact-words.ts';

/** Verbs of living somewhere, without accents, in five languages. */
const living = words(`
  live living reside residing wohne wohnen lebe leben
  vivo vivimos resido residimos habite habitons vis vivons moro moramos vivemos
`);
/** Verbs of going to live elsewhere, and of much else. */
const moving = words(`
  moved relocated ziehe ziehen zog zogen gezogen umgezogen mude mudado mudamos demenage mudei mudei-me
  mudamo-nos
`);

/** Who speaks: "I" or "we", by pronoun or by a verb that needs none. */
const speakers = {
  i: words('i ich yo je j eu vivo resido mude moro mudei mudei-me'),
  we: words(
    'we wir nosotros nosotras nous nos vivimos residimos vivemos moramos mudamos mudamo-nos',
  ),
};

/** What may stand around these verbs and says nothing of where. */
const beside = words(
  'have ve has am m are re bin sind me mich uns se he hemos ai avons suis sommes',
);

/** Who lives somewhere, and the words that say where. */
type Home = { who: keyof typeof speakers; where: string[]; isMove: boolean };

function homeIn(text: string): Home | undefined {
  const said = plainWords(text);
  const isMove = said.some((word) => moving.has(word));
  if (!isMove && !said.some((word) => living.has(word))) return undefined;
  const first = said.slice(0, 3);
  const who = (['i', 'we'] as const).find((each) => first.some((word) => speakers[each].has(word)));
  if (who === undefined) return undefined;
  const joining = [living, moving, speakers[who], beside, nowWords];
  return { who, where: said.filter((word) => !joining.some((list) => list.has(word))), isMove };
}

/**
 * Where the same person lives by both sentences: "in Berlin" and "in Lisbon", which share no word that
 * counts. "On the third floor", "in a flat" and "alone" are other things to say of it.
 *
 * @param hasLeft the newer one said which place was left: who only "moved to Postgres" lives on
 */
export function homesOf(newer: string, older: string, hasLeft: boolean): [Home, Home] | undefined {
  const [now, before] = [homeIn(newer), homeIn(older)];
  if (now === undefined || now.who !== before?.who || now.isMove !== hasLeft) return undefined;
  const isNamed = ({ where: [, name = 'a'] }: Home) => !someWords.has(name) && !ownWords.has(name);
  const isSameForm = hasLeft || now.where[0] === before.where[0];
  return isSameForm && isNamed(now) && isNamed(before) ? [now, before] : undefined;
}
