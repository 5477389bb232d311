export type PlainQuestion = {
  where: 'commander' | 'cacache' | 'notes';
  question: string;
  /** what the answer holds when it is right */
  right?: RegExp;
  /** what the first line or a note says where it lacks something */
  said?: RegExp;
};

/** Written before they were asked. */
export const plainQuestions: readonly PlainQuestion[] = [
  ...of('commander', [
    ['where is suggestSimilar defined?', /function suggestSimilar/],
    ['who calls suggestSimilar?', /lib\/command\.js/],
    ['what did Ana change in August 2026?', /no commits by Ana .*newest by Ana/],
    ['how many commits in June?', /1 commit/],
    ['compare lib/option.js and lib/argument.js', /lib\/option\.js[\s\S]*lib\/argument\.js/],
    ['show the last 6 lines of lib/error.js', /captureStackTrace[\s\S]*this\.name/],
    ['which classes are there?', /class Command/],
    ['what depends on lib/error.js?', /lib\/argument\.js/],
    ['what is the longest function in lib/command.js?', /lib\/command\.js/],
    ['what is the version of this package?', /"version"/],
    ['LIST ALL JAVASCRIPT FILES', /lib\/help\.js/],
    ['rename suggestSimilar to suggestNear', undefined, /needs a model/],
    ['wo wird CommanderError geworfen?', /CommanderError/],
    ['what changed yesterday?', /no commits since .*the newest is/],
    // Of this round.
    ['are there any classes in lib/option.js?', /class Option/],
    ['who calls suggestSimilar in lib/command.js?', /lib\/command\.js:\d+/],
    ['Which Tests Cover suggestSimilar?', undefined, /[Nn]o test/],
    ['give me the contributors', /Clara Weiss/],
    ['welche Klassen gibt es in lib/help.js?', /class Help/],
    ['WHAT CHANGED IN SEPTEMBER 2026?', /Note round 3/],
  ]),
  ...of('cacache', [
    ['what is this project about?', /cache/i],
    ['which licence does it have?', /ISC/],
    ['commits by Clara between 2026-06-01 and 2026-06-30', /Note round 1/],
    ['commits by Dora', /no commits by Dora/],
    ['what does lib/util contain?', /lib\/util/],
    ['wie viele Dateien gibt es?', /\d+ files/],
    ['install the dependencies', undefined, /model|granted/],
    ['which dependencies does lib/verify.js have?', /lib\/verify\.js/],
    ['show the imports of `lib/get.js`', /lib\/get\.js/],
    ['qui a modifié NOTES.md en dernier ?', /Note round 4/],
  ]),
  ...of('notes', [
    ['how much water do the tomatoes need?', /two litres/],
    ['what is the notice period in the contract?', /three months/],
    ['how many days of holiday does an employee have?', /28 days/],
    ['summarise contract.pdf', /Contract of lease/],
    ['show ERROR lines in logs/app.log', /ERROR lost[\s\S]*ERROR gone/],
    ['how many warnings are in app.log?', undefined, /not counted/],
    ['which port does the server use?', /8443/],
    ['list the Word documents', /handbook\.docx/],
    ['find all pdf files', /scan\.pdf/],
    ['what does scan.pdf say?', undefined, /no text/],
    ['cuánta agua necesitan los tomates?', /two litres/],
    ['show the last 2 lines of logs/app.log', /INFO retry[\s\S]*ERROR gone/],
  ]),
];

type Row = readonly [question: string, right?: RegExp | undefined, said?: RegExp];

function of(where: PlainQuestion['where'], rows: readonly Row[]): PlainQuestion[] {
  return rows.map(([question, right, said]) => ({
    ...{ where, question },
    ...(right === undefined ? {} : { right }),
    ...(said === undefined ? {} : { said }),
  }));
}
