import { describe, expect, it } from 'vitest';
import { compareFacts } from './compare-facts.ts';
import { isIndirect } from './subject-of.ts';

const told = (text: string, kind = 'fact') => ({ text, kind });
const relation = (
  older: string,
  newer: string,
  change: { isChange?: boolean; denies?: true } = {},
) => compareFacts({ ...told(newer), isChange: false, ...change }, told(older));
const isChange = true;

describe('compareFacts()', () => {
  it.each([
    ['releases happen on Thursdays', 'releases happen on Fridays'],
    ['releases happen on Thursdays', 'releases are on Fridays'],
    ['the port is 8080', 'the port is 9090'],
    ['the on-call lead is Maria', 'the on-call lead is Jonas'],
    ['the wiki lives at wiki.example.org', 'the wiki lives at docs.example.org'],
    ['the office is in Rome', 'the office is in Bonn'],
    ['the meeting point is the fountain', 'the meeting point is the harbour'],
  ])('"%s" is replaced by "%s"', (older, newer) => {
    expect(relation(older, newer)).toBe('replaces');
  });

  it.each([
    ['releases happen on Thursdays', 'releases moved to Friday'],
    ['the office is in Hamburg', 'the office moved to Berlin'],
    ['Ana reviews the billing code', 'Tom reviews the billing code now'],
    ['Ben drives the van', 'Ben now drives the truck'],
    ['we use Slack', 'we dropped Slack for Mattermost'],
    ['I live in Berlin', 'I live in Lisbon'],
    ['I live in Berlin', "I've moved from Berlin to Lisbon"],
    ['ich wohne in Kiel', 'ich bin von Kiel nach Bonn gezogen'],
    ['vivo en Madrid', 'me mudé de Madrid a Vigo'],
    ["j'habite à Paris", "j'habite à Lyon"],
    ['moro em Lisboa', 'mudei-me de Lisboa para Faro'],
    ['the budget is 20k', 'they cut the budget to 15k'],
    ['the server is called atlas', 'atlas was renamed hermes'],
    ['the CTO is Lena', 'Ben is our new CTO'],
    ['der CTO ist Lena', 'Ben ist unser neuer CTO'],
    ['el jefe es Luis', 'Ana es la nueva jefe'],
    ['le trésorier est Luc', 'le nouveau trésorier est Ines'],
    ['o gerente é Rui', 'o novo gerente é Ana'],
    ['the choir plays at 7', 'the choir now plays at 8'],
    ['das Passwort alle 90 Tage wechselt', 'wechselt das Passwort alle 30 Tage'],
    ['Releases am Donnerstag stattfinden', 'Releases finden jetzt am Freitag statt'],
    ['las entregas son los jueves', 'las entregas pasaron al viernes'],
    ['the deadline is 12 March', 'the deadline slipped to 20 March'],
    ['the retro is on Wednesdays', 'the retro is moving to Thursday'],
    ['the staging database runs on port 5433', 'the staging database moved to port 5544'],
    ['the demo takes place in room Oslo', 'the demo was moved to room Bergen'],
    ['backups go to S3', 'backups go to Backblaze now'],
    ['the build takes 12 minutes', 'the build only takes 4 minutes now'],
    ['rent costs 900 euros', 'rent went up to 950 euros'],
    ['je préfère les tabulations pour le code', 'je préfère maintenant les espaces pour le code'],
    ['the flag is off in production', 'the flag is on in production now'],
    ['der Server auf Port 8080 läuft', 'der Server ist auf Port 9090 umgezogen'],
    ['the gym is on the second floor', 'the gym is on the sixth floor'],
    ['le bureau est au deuxième étage', 'le bureau est au cinquième étage'],
    ['the key is under the blue pot', 'the key is under the red pot'],
    ['la clé est sous le tapis', 'la clé est derrière le volet'],
    ['our plumber is Mr Hart', "our plumber isn't Mr Hart but Mrs Cole"],
    ['the timeout is 30 minutes', "the timeout isn't 30 minutes, it's 45 minutes"],
    ['the parcel arrives on Tuesday', "the parcel won't arrive on Tuesday but on Thursday"],
    ['the lounge is the blue one', 'the lounge is the green one'],
    ['unser Arzt ist Dr. Weber', 'unser Arzt ist nun Frau Dr. Klein'],
    ['el médico es el doctor Ruiz', 'el médico es la doctora Vega'],
    ['the camp is in Bergen', 'they moved the camp to Malmö'],
    ['Luc macht die Rechnungen', 'nicht mehr Luc macht die Rechnungen, sondern Ines'],
    ['the retro is at 3 pm on Wednesdays', 'the retro moved to 4 pm'],
    ['the shop opens at 9', 'the shop already opens at 8 now'],
    ['le marché a lieu le samedi', "le marché n'a plus lieu le samedi mais le dimanche"],
    ['la poste ouvre à 9 heures', "la poste n'ouvre plus à 9 heures mais à 10 heures"],
    ['das Training beginnt um 18 Uhr', 'das Training beginnt jetzt erst um 19 Uhr'],
    ['das Treffen ist um 9 Uhr im Saal', 'das Treffen ist jetzt um 10 Uhr'],
  ])('"%s" is replaced by the change "%s"', (older, newer) => {
    expect(relation(older, newer, { isChange })).toBe('replaces');
  });

  it.each([
    ['meetings are on Mondays', 'board meetings moved to Fridays', isChange],
    ['meetings are on Mondays', 'meetings in Berlin moved to Fridays', isChange],
    ['las reuniones son los lunes', 'las reuniones del consejo son los viernes', isChange],
    ['meetings are in room four', 'meetings moved to Fridays', isChange],
    ['the staging server runs on port 8080', 'the build server runs on port 9090', false],
    ['the office in Rome opens at 8', 'the office in Bonn opens at 9', false],
    ['meetings are on Mondays', 'meetings are in room four', false],
    ['the server runs on port 8080', 'the server runs on Debian 12 now', isChange],
    ['support answers within 24 hours', 'support is closed on Sundays now', isChange],
    ['rent costs 900 euros', 'the rent is due on the 3rd now', isChange],
    ['Tom owns the billing service', 'Tom owns the search service now', isChange],
    ['the staging server is slow', 'the build server is slow now', isChange],
    ['the mirror pulls from GitHub', 'the mirror pushes to Codeberg now', isChange],
    ['Sofia lives in Porto', 'Sofia works in Lisbon now', isChange],
    ['the office printer is in room 4', 'the office moved to room 9', isChange],
    ['Ana likes tea', 'Ana likes coffee', false],
    ['Paul is a designer', 'Paul is a runner', false],
    ['Paul is allergic to nuts', 'Paul is allergic to milk', false],
    ['the team has five engineers', 'the team has two designers', false],
    ['the release needs a changelog', 'the release needs a tag', false],
    ['the first shift starts at 6', 'the second shift starts at 14', isChange],
    ['our plumber is Mr Hart', "our electrician isn't Mr Hart but Mrs Cole", isChange],
    ['Lena is allergic to nuts', 'Lena is vegetarian', false],
    ['our landlord is Mr Novak', 'our landlord is nice', false],
    ['Tom is the treasurer', 'Tom is left-handed', false],
    ['the car is red', 'the car is in the garage', false],
    ['el coche es rojo', 'el coche está en el garaje', false],
    ['the office is in Rome', 'the office is closed now', isChange],
    ['the camp is in Bergen', 'they moved the winter camp to Malmö', isChange],
    ['the party is on Friday', 'the exam moved to Friday', isChange],
    ['my sister lives in Berlin', 'the office moved to Berlin', isChange],
    ['the server runs on port 8080', 'the proxy moved to port 8080', isChange],
    ['das Fest am Freitag ist', 'die Prüfung wurde auf Freitag verschoben', isChange],
    ['la fiesta es el viernes', 'el examen pasó al viernes', isChange],
    ['the archive is in Leeds', 'we moved the print shop from Leeds to York', isChange],
    ['Ben waters the plants', 'Ben feeds the cat now', isChange],
    ['Mia plays the violin', 'Mia now plays chess', isChange],
    ['the printer is in room 4', 'the new printer manual is in room 12', isChange],
    ['the atlas server is slow', 'atlas was renamed hermes', isChange],
    ['the shop delivers to Bonn', 'the shop now delivers to Cologne', isChange],
    ['the retro is at 3 pm on Wednesdays', 'the retro is in room 4 now', isChange],
    ['the shop closes at 9', 'the shop already opens at 8 now', isChange],
    ['le marché coûte 5 euros', "le marché n'a plus lieu le samedi mais le dimanche", isChange],
    ['the bus to Rome leaves at 9 am from bay B', 'the bus to Bonn leaves at 10 am', isChange],
    ['I live in Berlin', 'I live on the third floor', isChange],
    ['I live in Berlin', 'I live in a small flat', isChange],
    ['I live in Berlin', 'we live in Bonn', isChange],
    ['we live in Berlin', 'we moved to Postgres', isChange],
    ['I live in Berlin', 'I moved from Vim to Helix', isChange],
  ])('"%s" holds beside "%s"', (older, newer, change) => {
    expect(['near', 'other']).toContain(relation(older, newer, { isChange: change }));
  });

  it('tells a repeat, an end and what is about something else', () => {
    const fact = 'releases happen on Thursdays';
    expect(relation(fact, 'releases happen on Thursday')).toBe('repeats');
    const denied = { isChange, denies: true as const };
    expect(relation(fact, 'releases no longer happen on Thursdays', denied)).toBe('ends');
    const said = "Ines doesn't review the code any more, Ravi does";
    expect(relation('Ines reviews the code', said, denied)).toBe('replaces');
    const elsewhere = "sshd doesn't listen on 2222 any more, it's 2022";
    expect(relation('sshd listens on port 2222', elsewhere, denied)).toBe('replaces');
    expect(relation('the market runs on port 2222', elsewhere, denied)).not.toBe('replaces');
    const broken = "the heating doesn't start any more, it's broken";
    expect(relation('the heating starts at 6', broken, denied)).toBe('near');
    expect(relation(fact, 'the port is 8080')).toBe('other');
    const cleft = "ce n'est plus Luc qui s'occupe des factures, c'est Inès";
    expect(relation("Luc s'occupe des factures", cleft, denied)).toBe('replaces');
  });

  it('compares a decision with what is said of it later', () => {
    const newer = { ...told('we use Postgres 16'), isChange };
    expect(compareFacts(newer, told('we decided to use Postgres 15', 'decision'))).toBe('replaces');
    expect(compareFacts(newer, told('we decided to use Kafka 3', 'decision'))).not.toBe('replaces');
  });

  it.each([
    ['I prefer meetings in the morning', 'I prefer no meetings on Fridays'],
    ['prefiro trabalhar de manhã', 'prefiro reuniões de manhã'],
    ['prefiro café sem açúcar', 'prefiro chá sem açúcar'],
    ['ich bevorzuge Meetings am Morgen', 'I prefer meetings in the evening'],
    ['prefiero notas cortas', 'prefiro notas curtas'],
  ])('the preference "%s" holds beside "%s"', (older, newer) => {
    const newly = { ...told(newer, 'preference'), isChange: false };
    expect(compareFacts(newly, told(older, 'preference'))).toBe('near');
  });

  it.each([
    ['I prefer dark themes', 'I prefer light themes'],
    ['I prefer tea for breakfast', 'I prefer coffee for breakfast'],
    ['prefiero té para el desayuno', 'prefiero café para el desayuno'],
    ['I prefer meetings on Fridays', 'I prefer no meetings on Fridays'],
    ['prefiro chá para o almoço', 'prefiro água para o almoço'],
    ['prefiro chá para a ceia', 'prefiro água para a ceia'],
  ])('the preference "%s" is replaced by "%s"', (older, newer) => {
    const newly = { ...told(newer, 'preference'), isChange: false };
    expect(compareFacts(newly, told(older, 'preference'))).toBe('replaces');
  });

  it('lets the successor of a program do what that did, and no more', () => {
    const next = 'Grafana was replaced by Kibana';
    const shows = 'Grafana shows our dashboards';
    expect(relation(shows, next, { isChange })).toBe('replaces');
    const german = 'Grafana wurde durch Kibana ersetzt';
    expect(relation('Grafana zeigt unsere Kurven', german, { isChange })).toBe('replaces');
    const others = ['costs 20 euros', 'crashed the server', 'needs the big server', 'runs at home'];
    for (const said of others) expect(relation(`Grafana ${said}`, next, { isChange })).toBe('near');
  });

  it('takes a choice for another one only where it is about the same', () => {
    const choose = (older: string, newer: string) =>
      compareFacts({ ...told(newer, 'decision'), isChange: false }, told(older, 'decision'));
    const queue = 'we decided to use Postgres for the queue';
    expect(choose(queue, 'we decided to use Redis for the queue')).toBe('replaces');
    expect(choose(queue, 'we decided to use Redis for the cache')).toBe('other');
    const production = 'we decided to use Postgres in production';
    expect(choose(production, 'we decided to use Redis in production')).toBe('replaces');
    const demos = 'we decided to hold demos on Fridays';
    expect(choose(demos, 'we decided to hold retros on Fridays')).toBe('near');
    const changed = { ...told('we decided to host it on GitHub Pages', 'decision'), isChange };
    const before = told('we decided to host it on Netlify', 'decision');
    expect(compareFacts(changed, before)).toBe('replaces');
  });
});

describe('isIndirect()', () => {
  it.each([
    'they moved to Fridays',
    'it is seven now',
    'steht er in Bonn',
    'se movió a las 10',
    'they got pushed back to Mondays',
    'it became the main office',
    'il a déménagé à Nantes',
  ])('"%s" is about what was spoken of', (text) => expect(isIndirect(text)).toBe(true));

  it.each([
    'releases moved to Fridays',
    'das Büro ist in Bonn',
    'the team moved it',
    'they changed the summer camp to Malmö',
    'they moved practice to Friday',
    'er hat den Termin auf Montag verschoben',
    'ils ont déplacé le camp à Malmö',
    "it's no longer Luc who does the invoices, it's Ines",
  ])('"%s" names what it is about', (text) => expect(isIndirect(text)).toBe(false));
});
