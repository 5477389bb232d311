import { once } from '../../lib/once.ts';
import { contentWords } from '../content-words.ts';

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

/** Forms of verbs that no ending makes: who "led" the team last year, of "leads". */
const verbForms = `
  lead led
  hold held
  meet met
  pay paid
  teach taught
  sell sold
  speak spoke spoken
  drive drove driven
  fly flew flown
  wear wore worn
  win won
  choose chose chosen
  break broke broken
  hide hid hidden
  rise rose risen
  ride rode ridden
  sing sang sung
  swim swam swum
  throw threw thrown
  leave left
  lose lost
  find found
  feel felt
  fall fell fallen
  stand stood
  understand understood
  bring brought
  buy bought
  build built
  send sent
  spend spent
  lend lent
  sit sat
  sleep slept
  eat ate eaten
  drink drank drunk
  begin began begun
  grow grew grown
  draw drew drawn
  forget forgot forgotten
  run ran
  write wrote written
  take took taken
  give gave given
  keep kept
  make made
  get got gotten
  come came
  go went gone
  become became
  know knew known
  catch caught
  seek sought
  deal dealt
  steal stole stolen
  feed fed
`;

/** Stem of what a word stands for, by its stem. */
const whole = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      `${shortForms.trim()}\n${verbForms.trim()}`.split('\n').flatMap((line) => {
        const [long = '', ...short] = contentWords(line);
        return short.map((word) => [word, long] as const);
      }),
    ),
);

/** "db" as "database", "led" as "lead"; any other stem as it is. */
export function wholeWord(stem: string): string {
  return whole().get(stem) ?? stem;
}
