import { readCases } from './support/read-cases.ts';

/**
 * The cases of the suite as a table in Markdown: what is tried, the codes of its denials, and the
 * control. `node tests/escape/table.ts`
 */
const cases = readCases();
const cell = (text: string): string => text.replaceAll('|', '\\|');
console.log('| case | test | denials | code | control |\n|---|---|---|---|---|');
for (const { file, name, denials, codes, control } of cases) {
  const said = codes.join(', ') || 'no error: it is without effect';
  const count = denials.length === 0 ? 'made in a loop' : String(denials.length);
  const row = [name, file.replace('.test.ts', ''), count, said, control];
  console.log(`| ${row.map(cell).join(' | ')} |`);
}
console.log(
  `\n${cases.length} cases, ${cases.reduce((sum, one) => sum + one.denials.length, 0)} denials`,
);
