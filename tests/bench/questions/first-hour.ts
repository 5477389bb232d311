/**
 * What people type in their first hour, written before any of it was run. `right` stands in the
 * answer; a row without it can only be refused, and `refused` stands in the first line of the error.
 */
export type FirstHourRow = { text: string; right?: RegExp; refused?: RegExp };

const model = /needs a model/;

export const english: readonly FirstHourRow[] = [
  { text: 'run the tests', right: /2 passed|pass 2/ },
  { text: 'npm test', right: /pass 2/ },
  { text: 'run npm run lint', right: /lint is clean/ },
  { text: 'lint it', right: /lint is clean/ },
  { text: 'please build the project', right: /built in dist/ },
  { text: 'run git status', right: /notes\// },
  { text: 'git log --oneline', right: /Add a price list/ },
  { text: 'show the diff', right: /discount/ },
  { text: 'show me src/cart.js', right: /export function total/ },
  { text: 'open README.md', right: /Fruit stand/ },
  { text: 'open the docs folder', right: /prices\.md/ },
  { text: 'stage src/cart.js', right: /src\/cart\.js/ },
  { text: 'stage everything', right: /cart|ideas|staged/ },
  { text: 'commit my changes', refused: /message|model/ },
  { text: 'push', refused: /remote|origin|granted|asked/ },
  { text: 'run node src/main.js', right: /total: 12/ },
  { text: 'wc -l src/cart.js', right: /\b1?\d src\/cart\.js/ },
  { text: 'run deploy', refused: /deploy/ },
  { text: 'fix the failing test', refused: model },
  { text: 'write a test for the cart', refused: model },
  { text: 'refactor src/cart.js', refused: model },
  { text: 'translate the README to French', refused: model },
  { text: 'add a discount field to the cart', refused: model },
  { text: 'rename notes/ideas.md to notes/todo.md', right: /notes\/todo\.md/ },
  { text: 'what does this project do?', right: /Fruit stand/ },
  { text: 'where is the tax rate set?', right: /taxRate = 0\.07|src\/tax\.js/ },
  { text: 'who calls total?', right: /src\/main\.js/ },
  { text: 'how do I start it?', right: /npm start/ },
  { text: 'what changed last?', right: /Add a price list/ },
  { text: 'which scripts are there?', right: /lint/ },
  { text: 'list the tests', right: /cart\.test\.js/ },
  { text: 'how many files are here?', right: /\b1?\d files/ },
];

export const german: readonly FirstHourRow[] = [
  { text: 'führe die Tests aus', right: /2 passed|pass 2/ },
  { text: 'zeige src/cart.js', right: /export function total/ },
  { text: 'öffne README.md', right: /Fruit stand/ },
  { text: 'was macht dieses Projekt?', right: /Fruit stand/ },
  { text: 'wo ist die Funktion total definiert?', right: /src\/cart\.js/ },
  { text: 'wer ruft total auf?', right: /src\/main\.js/ },
  { text: 'welche Dateien gibt es in docs?', right: /prices\.md/ },
  { text: 'was wurde zuletzt geändert?', right: /Add a price list|cart/ },
  { text: 'git status', right: /notes\/ideas\.md|notes\// },
  { text: 'npm run build', right: /built in dist/ },
  { text: 'welche Skripte gibt es?', right: /lint/, refused: /not read|nothing/ },
  { text: 'repariere den fehlschlagenden Test', refused: /model|not read|nothing/ },
  { text: 'schreibe einen Test für den Warenkorb', refused: /model|not read|nothing/ },
  { text: 'wie viele Tests gibt es?', right: /\b[12]\b|cart\.test/ },
];

export const spanish: readonly FirstHourRow[] = [
  { text: 'ejecuta los tests', right: /pass 2|2 passed/, refused: /model|not read|nothing/ },
  { text: 'muestra src/cart.js', right: /export function total/ },
  { text: 'abre README.md', right: /Fruit stand/ },
  { text: '¿qué hace este proyecto?', right: /Fruit stand/ },
  { text: '¿dónde está definida la función total?', right: /src\/cart\.js/ },
  { text: '¿quién llama a total?', right: /src\/main\.js/ },
  { text: '¿qué archivos hay en docs?', right: /prices\.md/ },
  { text: '¿qué cambió ayer?', right: /Add a price list/, refused: /yesterday|changed|commit/ },
  { text: 'npm run lint', right: /lint is clean/ },
  { text: 'run npm test', right: /pass 2/ },
  { text: 'arregla el test que falla', refused: /model|not read|nothing/ },
  { text: 'escribe un test para el carrito', refused: /model|not read|nothing/ },
  { text: '¿cuántos tests hay?', right: /\b[12]\b|cart\.test/ },
  { text: '¿quién escribió src/tax.js?', right: /Ana/ },
];
