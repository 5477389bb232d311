import { once } from '../lib/memo.ts';
import { stemWord, stopWords } from '../lib/text/words.ts';

/**
 * The words of a text that carry meaning, as full-text search sees them: lower case, Latin
 * letters without accents, split at everything that is not a letter or digit, without stop words, lightly stemmed.
 * In text order, repeats kept.
 */
export function contentWords(text: string): string[] {
  const words: string[] = [];
  for (const word of splitWords(text)) {
    if (word.length <= maxWordLength && !stopWords.has(word)) words.push(stemWord(word));
  }
  return words;
}

function splitWords(text: string): readonly string[] {
  // the usual case, five times as fast
  if (isAscii(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const folded = spaceWords(text)
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFKC')
    .toLowerCase();
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

/**
 * Puts spaces between the words of scripts that are written without them; other text stays as it
 * is. The index splits at spaces and punctuation alone, so without this a Chinese or Thai sentence
 * would be one word that no question matches.
 */
export function spaceWords(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(unspacedRun, (run: string, offset: number) => {
    const segments = segmenter().segment(run);
    const words = Array.from(segments, ({ segment }) => segment).join(' ');
    // Adds no second space, so that a second run changes nothing.
    const before = text[offset - 1] === ' ' ? '' : ' ';
    const after = text[offset + run.length] === ' ' ? '' : ' ';
    return before + words + after;
  });
}

/** the longest token that the index keeps */
const maxWordLength = 40;

const unspacedRun =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]{2,}/gu;

let shared: Intl.Segmenter | undefined;
function segmenter(): Intl.Segmenter {
  // made when first needed: it loads its dictionaries
  shared ??= new Intl.Segmenter('und', { granularity: 'word' });
  return shared;
}

const english = `always answer ask call case change class code come date day decide define different document
  ever exist explain file find first folder function get give go happen help hold implement
  import keep kind know last let like line list live long look make many mean method might
  module must name need never new number part people place please point project question read
  remember remind return run said say see set shall show start stop tell text thing think time
  told type us use value want way week word work write year
  used found kept knew known made making ran shown gone went got gave given held thought meant
  written wrote took taken take came put currently usually normally actually exactly`;

/** Question words of more languages, of Latin ones without accents. */
const others = `
  wer wem wen wessen was welche welcher welches welchem welchen wo woher wohin wann warum wieso wie
  ob ist sind war waren wird werden hat haben habe kann konnen soll sollen muss mussen darf gibt es
  der die das den dem des ein eine einen einem einer im am um auf zu zum zur von vom fur mit bei an
  in und oder wir ich du er sie uns unser unsere unserem unseren mein meine meinem meinen dein deine
  uhr tag zeit heisst heissen findet finden statt viel viele wieviel lange oft gehort nennt mal
  bis seit uber nach gerade benutzen benutzt verwenden verwendet
  quien quienes que cual cuales donde cuando por como cuanto cuanta cuantos cuantas es son esta estan
  fue era ser hay ha han tiene tienen el la los las un una de del al en para con y o a su sus mi mis
  puedo podemos gusta gustan nuestro nuestra nuestros nuestras se lo nos hasta desde sobre queda puede pueden usa usamos hora dia llama llaman debo debemos
  qui quoi quel quelle quels quelles ou quand pourquoi comment combien est sont etait sera ont a ai
  avons le la les l un une des du de d au aux en dans pour par avec et sur il elle ils elles on nous
  je puis peux pouvons notre nos mon ma mes ton ta ce cet cette qu s n t c y depuis jusque doit doivent peut peuvent utilise utilisons heure jour faut lieu appelle
  posso gosto em quem qual quais quando onde ate pode podem deve devem usam quanto quanta quantos quantas e sao foi era tem o os as um uma da do dos das no
  na nas nos ao aos para com por seu sua meu minha nosso nossa se horas chama chamam devo devemos fica
  когда где кто кого кому что чего какой какая какое какие каком как сколько почему зачем куда откуда
  чей чья наш наша наше наши мой моя мои в во на у с со к по о об за из от до и или ли
  chi che cosa quale quali dove come perche quanto quanta quanti quante il lo gli i nel nella nei sono
  wie wat welke waar waarom hoe hoeveel het onze ons mijn zijn
  що хто де коли як чому скільки який яка яке які є чий
  τι ποιος ποια ποιο που πού πότε πώς γιατί πόσο πόσα πόσοι είναι ο η το οι τα του της των στο στη στην στον
  מה מי איפה היכן מתי איך למה כמה האם איזה איזו של את הוא היא זה
  ما ماذا من أين متى كيف لماذا كم هل أي هو هي في على إلى
  क्या कौन कहाँ कब कैसे क्यों कितने कितना कितनी है हैं का की के में को
  무엇 뭐 누구 누가 어디 어디에 언제 어떻게 왜 몇 얼마
  ne nerede nasil neden kac mi hangi co kto gdzie kiedy jak dlaczego ile jest
`;

/** Words of a script without spaces, as they stand: splitting them would load the dictionaries. */
export const unspacedWords =
  '什么 什么时候 为什么 哪里 哪儿 哪个 谁 怎么 怎样 多少 几 何时 时候 在 是 的 了 吗 呢 我们 我 我的 你'.split(
    ' ',
  );

const listOf = (words: string) => (): ReadonlySet<string> =>
  new Set([...contentWords(words), ...unspacedWords]);

/** Stems of words that fit a question about anything. */
const commonWords = once(listOf(`${english} ${others}`));

const questionWords = once(listOf(others));

/** A word that only forms the question, as "quel" and "est" do. */
export function isQuestionWord(word: string): boolean {
  return questionWords().has(word) || particles.test(word);
}

/** Japanese writes particles and endings in Hiragana, and most content words in other scripts. */
const particles = /^\p{Script=Hiragana}+$/u;

export function isCommonWord(word: string): boolean {
  return commonWords().has(word) || particles.test(word);
}

/** Words of English that stand in questions of other languages, too. */
const ofMoreLanguages = new Set('a am an as at d do he in m me no on s so t will y'.split(' '));

/** Whether the words that make a question are of another language than English. */
export function isForeign(question: string): boolean {
  const plain = question.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const english = plain.filter((word) => stopWords.has(word) && !ofMoreLanguages.has(word)).length;
  return contentWords(question).filter(isQuestionWord).length > english;
}

/** How people shorten words when they type; the first is what a text mostly says. */
const shortForms = `
  database db
  configuration config conf cfg
  repository repo
  environment env
  production prod
  development dev
  authentication auth
  administrator admin
  documentation docs
  application app
  message msg
  identifier id
  password pw pwd passwd
  kubernetes k8s
  typescript ts
  javascript js
  python py
  postgresql postgres pg psql
  information info
  maximum max
  minimum min
  directory dir
  library lib
  package pkg
  infrastructure infra
  dependency deps dep
  specification spec
  department dept
  manager mgr
  telephone phone
  email mail
  performance perf
  temporary temp tmp
  number num nr
`;

/** Stem of what a word stands for, by its stem. */
const whole = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      shortForms
        .trim()
        .split('\n')
        .flatMap((line) => {
          const [long = '', ...short] = contentWords(line);
          return short.map((word) => [word, long] as const);
        }),
    ),
);

/** "db" as "database"; any other stem as it is. */
export function wholeWord(stem: string): string {
  return whole().get(stem) ?? stem;
}
