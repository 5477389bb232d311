import { createRandom, type Random } from './random.ts';

const stems = (
  'account agent alias anchor array batch block buffer build cache call cell chain change channel check child ' +
  'chunk clock code column command commit config count cursor data date decode delta depth digest disk draft edge ' +
  'encode entry error event fetch field file filter flag flush frame graph group guard handle hash header heap host ' +
  'index input item job join key label layer length level limit line link list load lock log map mark match memory ' +
  'merge message meter mode module name node notice number object offset option order owner packet page parent parse ' +
  'part patch path peer phase plan point policy pool port prefix process proxy query queue range rank read record ' +
  'region remote render reply request reset result retry role root route row rule run sample scan scope score seed ' +
  'select send session shape share sign size slice slot sort source span stack stage start state status step store ' +
  'stream table tag target task test text thread tick time token trace track tree type unit update user value vector ' +
  'version view wait walk watch window word worker write zone'
).split(' ');

/** Names as programs have them: few are everywhere, most are rare (about 1 / rank). */
const names = makeNames();

function makeNames(): string[] {
  const random = createRandom(7);
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const shapes: ((one: string, two: string, three: string) => string)[] = [
    (one) => one,
    (one, two) => one + capital(two),
    (one, two, three) => one + capital(two) + capital(three),
    (one, two) => `${one}_${two}`,
    (one, two) => capital(one) + capital(two),
  ];
  return Array.from({ length: 12_000 }, (_, rank) => {
    const name = random.pick(shapes)(random.pick(stems), random.pick(stems), random.pick(stems));
    return rank < 2000 ? name : name + String(random.below(100));
  });
}

type Language = {
  extension: string;
  line(name: () => string, random: Random): string;
  comment: string;
};

const prose = (name: () => string): string =>
  `the ${name()} of each ${name()} is kept until the ${name()} was ${name()}`;

const languages: readonly Language[] = [
  {
    extension: 'ts',
    comment: '//',
    line: (name, random) =>
      random.pick([
        () => `export function ${name()}(${name()}: string, ${name()}: number): boolean {`,
        () => `  const ${name()} = ${name()}.${name()}(${name()}, ${random.below(5000)});`,
        () => `  if (${name()} === undefined) return ${name()}.${name()};`,
        () => `  for (const ${name()} of ${name()}) ${name()}.push(${name()}[${random.below(9)}]);`,
        () => `  throw new RangeError(\`no ${name()} for \${${name()}}\`);`,
        () => '}',
        () => '',
      ])(),
  },
  {
    extension: 'py',
    comment: '#',
    line: (name, random) =>
      random.pick([
        () => `def ${name()}(self, ${name()}, ${name()}=${random.below(300)}):`,
        () => `    ${name()} = self.${name()}[${name()}]`,
        () => `    return ${name()}(${name()}, key=lambda ${name()}: ${name()}.${name()})`,
        () => `        raise ValueError(f"bad ${name()} {${name()}!r}")`,
        () => '',
      ])(),
  },
  {
    extension: 'go',
    comment: '//',
    line: (name, random) =>
      random.pick([
        () => `func (s *${name()}) ${name()}(ctx context.Context, ${name()} int) error {`,
        () => `\t${name()}, err := s.${name()}.${name()}(ctx, ${random.below(100)})`,
        () => '\tif err != nil {',
        () => `\t\treturn fmt.Errorf("${name()} %d: %w", ${name()}, err)`,
        () => '\t}',
        () => '}',
      ])(),
  },
  {
    extension: 'json',
    comment: '',
    line: (name, random) =>
      `  "${name()}": { "${name()}": ${random.below(99_999)}, "${name()}": "${name()}" },`,
  },
  { extension: 'md', comment: '', line: (name) => `${prose(name)}, and \`${name()}\` says so.` },
];

/** Lines that the searches look for; about one file in `every` holds one. */
const planted: readonly { every: number; line(random: Random): string }[] = [
  { every: 2000, line: () => 'const moonrakerHandshake = openMoonraker(retries);' },
  {
    every: 250,
    line: (random) => `${random.pick(['TODO', 'Todo', 'todo'])}(backoff): wait longer each time`,
  },
  {
    every: 60,
    line: (random) => `let loadLedgerCache = readLedger_${1000 + random.below(9000)}_page();`,
  },
  {
    every: 400,
    line: () => 'export const maxRetryAttempts = 5; // how often a failed upload is retried',
  },
];

/** Bytes of a file on average: 13,000 of them are 75 MB. */
const meanBytes = 75_000_000 / 13_000;

/** A source file that depends on its number alone. */
export function writeCode(number: number): { extension: string; text: string } {
  const random = createRandom(number * 2_654_435_761);
  // Squaring a uniform number leans to small files with a long tail, as in real trees.
  const bytes = meanBytes * (0.2 + 2.4 * random.next() ** 2);
  const language = random.pick(languages);
  const name = (): string => names[Math.floor(names.length ** random.next()) - 1] as string;
  const lines: string[] = [];
  let size = 0;
  while (size < bytes) {
    const isComment = language.comment !== '' && random.below(9) === 0;
    const line = isComment ? `${language.comment} ${prose(name)}` : language.line(name, random);
    lines.push(line);
    size += line.length + 1;
  }
  for (const { every, line } of planted) {
    if (random.below(every) === 0) lines.splice(random.below(lines.length), 0, line(random));
  }
  return { extension: language.extension, text: `${lines.join('\n')}\n` };
}
