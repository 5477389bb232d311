import type { Mentions } from '../../contracts/intent.ts';
import { stemWord } from '../../lib/text/words.ts';
import { below, namesIn, rankedPassages } from '../drafts.ts';
import type { Kind } from '../kind.ts';

/** The default value of a setting. */
export type ValueReading = { kind: 'value'; of: string };

/** What programs are told, and have a value of their own for. */
const settings =
  'port ports host hostname address timeout interval ttl delay retries concurrency workers threads';
const doing =
  'listen listens bind binds use used uses run runs connect connects start starts serve serves set value wait waits take takes have has get configured happen server servers long many which what how number';

const name = String.raw`([\p{L}_-]+(?:\.[\p{L}_-]+)*(?:\s+[\p{L}_-]+){0,2}?)`;
const end = String.raw`\s*[?.!]*\s*$`;
/** Forms of a question for the value that something has, with what it is called. */
const forms: readonly RegExp[] = [
  // `what is the default value of X?`, `what is the default X for Y?`
  `^\\s*(?:what(?:'s|\\s+is)|show|tell me)\\s+(?:the\\s+)?default\\s+(?:value\\s+(?:of|for)\\s+(?:the\\s+)?)?${name}(?:\\s+(?:value|setting))?(?:\\s+(?:of|for|in|here|used)\\b.*)?${end}`,
  // `which X does it use by default?`, `how many X are started by default?`
  `^\\s*(?:which|what|how many)\\s+${name}\\s+(?:does|do|is|are|will|can|gets?)\\b.*\\bby default${end}`,
  // `how long is the X by default?`, `what is the X by default?`
  `^\\s*(?:how\\s+(?:long|big|large|high)|what)(?:'s|\\s+is)\\s+(?:the\\s+)?${name}\\s+by default${end}`,
  `^\\s*(?:what is|show)\\s+the\\s+${name}\\s+default(?:\\s+value)?${end}`,
  // `how long until a request has a timeout?`
  `^\\s*(?:after )?how long\\s+(?:until|till|before|does it take (?:until|before|for))\\s+(?:an?\\s+|the\\s+)?${name}${end}`,
  // `which port does the dev server use?`
  `^\\s*(?:what|which)(?:\\s+(?:is|are)\\s+the)?\\s+(${settings.replaceAll(' ', '|')})\\b`,
].map((form) => new RegExp(form, 'iu'));
/** What holds under a condition is a rule of the code. */
const conditional = /\b(?:when|if|after|before|while|without|unless)\b/i;
const mostWords = 9;

/** What is written in capitals has one value. */
const constant = /(?<![\w-])[A-Z][A-Z0-9]*_[A-Z0-9_]+(?![\w-])/;

export const value: Kind<ValueReading> = {
  rows: [
    {
      names: 'words',
      all: [
        'where what how',
        'set value default configured assigned initialised initialized equal defined',
      ],
      also: 'is does to of constant for in',
      reads: ({ bag }) => {
        const named = constant.exec(bag.question)?.[0];
        return named === undefined ? undefined : { kind: 'value', of: named };
      },
    },
    {
      names: 'words',
      all: [`default defaults long ${settings}`, 'what which how show'],
      also: `value setting set configured defined ${doing} or and on to`,
      reads: ({ bag }) => {
        const asked = forms.map((form) => form.exec(bag.question)?.[1]).find(Boolean);
        return asked === undefined || conditional.test(bag.question)
          ? undefined
          : { kind: 'value', of: asked.toLowerCase().replace(/^(?:for|of) /, '') };
      },
    },
    {
      names: 'nothing',
      all: [settings, 'what which how'],
      also: `default defaults ${doing} or and on to`,
      reads: ({ bag }) => {
        const named = settings.split(' ').find((word) => bag.all.has(stemWord(word)));
        return named === undefined || isRule(bag.question)
          ? undefined
          : { kind: 'value', of: named };
      },
    },
  ],
  named: ({ words }) =>
    words.length === 0 ? undefined : { kind: 'value', of: words.slice(0, 3).join(' ') },
  plan: ({ of }, mentions) => [
    {
      tool: 'search.values',
      input: { names: namesOf(of), about: besideOf(of, mentions), ...below(mentions) },
    },
    ...rankedPassages('s2', mentions),
    ...namesIn(mentions),
  ],
  shape: (_, { isWidened }) => (isWidened ? {} : { rows: ['search.values'] }),
  isOpen: true,
};

function isRule(question: string): boolean {
  return conditional.test(question) || question.trim().split(/\s+/).length > mostWords;
}

/** `session timeout` is a kind of timeout, where nothing is called so as a whole; so is `session.timeout`. */
function namesOf(setting: string): string[] {
  const last = setting.split(/[ .]/).at(-1) as string;
  return last === setting ? [setting] : [setting, last];
}

/** `default port for mysql`: what else a question for a value speaks of. */
function besideOf(setting: string, { words }: Mentions): string[] {
  const own = setting.toLowerCase();
  return words
    .filter(
      (word) =>
        !own.includes(word) && !/^(?:defaults?|values?|set|used|configured|defined)$/.test(word),
    )
    .slice(0, 10);
}
