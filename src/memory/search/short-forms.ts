import { once } from '../../lib/memo.ts';
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
