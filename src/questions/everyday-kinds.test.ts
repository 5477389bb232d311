import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { otherKinds } from './as-kind.ts';
import { collections } from './kinds/collection-shapes.ts';
import { kinds } from './kinds.ts';
import { readIntent } from './read-intent.ts';
import { toEnglish } from './words/to-english.ts';

const folders = new Set(['src', 'tests', 'docs', 'src/http', 'fake/web', 'roles', 'roles/web']);
const workspace = {
  path: '/w',
  names: ['kit', 'kit-run'],
  hasFolder: (path: string) => folders.has(path),
  folderCalled: (name: string) =>
    [...folders].find((folder) => folder === name || folder.endsWith(`/${name}`)),
};
const read = (question: string) => {
  const intent = readIntent(question, [], workspace);
  if (intent.kind !== 'ask') throw new Error(`"${question}" is read as a ${intent.kind}`);
  return intent;
};
const first = (question: string) => read(question).readings[0];
const definition = (name: string) => ({ kind: 'definition', name });
const uses = (name: string) => ({ kind: 'references', name });
const tests = (name: string) => ({ kind: 'tests', name });
const manifest = (about: string, name?: string) => ({
  kind: 'manifest',
  about,
  ...(name === undefined ? {} : { name }),
});
const history = (about: string, more: object = {}) => ({ kind: 'history', about, ...more });

describe('questions of every day', () => {
  it.each([
    ['Where is SecureCookieSession defined?', definition('SecureCookieSession')],
    ['where is run defined?', definition('run')],
    ['what is KeywordCxt?', definition('KeywordCxt')],
    ['what is a blueprint?', definition('Blueprint')],
    ['show DualOptions', definition('DualOptions')],
    ['show me the Flask class', definition('Flask')],
    ['where is the type Decoder?', definition('Decoder')],
    ['isValidNumber', definition('isValidNumber')],
    ['jsonify()', definition('jsonify')],
    ['definition of `getLineInfo`', definition('getLineInfo')],
    ['where is Flask.run defined?', definition('Flask.run')],
    ['what arguments does send_file take?', definition('send_file')],
    ['who calls redirect?', uses('redirect')],
    ['where is redirect used?', uses('redirect')],
    ['which classes inherit from Scaffold?', uses('Scaffold')],
    ['which files import Blueprint?', { ...uses('Blueprint'), only: 'imports' }],
    ['what imports the json module?', { ...uses('json'), only: 'imports' }],
    ['who uses the json package?', uses('json')],
    ['who depends on Scaffold?', uses('Scaffold')],
    ['which tests cover Compact?', tests('Compact')],
    ['is url_for tested?', tests('url_for')],
    ['which tests import Blueprint?', tests('Blueprint')],
    ['which tests cover sessions.py?', tests('sessions')],
    ['what is the difference between Indent and Compact?', { kind: 'comparison' }],
    ['difference between a blueprint and an app', { names: ['Blueprint', 'App'] }],
    ['compare hooks/pre with hooks/post', { names: ['hooks/pre', 'hooks/post'], areFiles: true }],
    ['compare "a b.md" and "c.md"', { names: ['a b.md', 'c.md'], areFiles: true }],
    ['compare src/http with src', { kind: 'how' }],
    ['Flask vs Blueprint', { kind: 'comparison', names: ['Flask', 'Blueprint'] }],
    ['what is in README.md?', { kind: 'file', path: 'README.md', lines: {} }],
    ['cat Makefile', { kind: 'file', path: 'Makefile' }],
    ['lines 10 to 20 of queues.py', { kind: 'file', lines: { start: 10, end: 20 } }],
    ['first 20 lines of app.py', { kind: 'file', lines: { start: 1, end: 20 } }],
    ['what functions are in app.py?', { kind: 'outline', path: 'app.py' }],
    ['what is this?', { kind: 'about' }],
    ['summarise this project', { kind: 'about' }],
    ['what is kit?', { kind: 'about' }],
    ['how do I get started?', { kind: 'about' }],
    ['how do I add a subcommand?', { kind: 'guide' }],
    ['how do I contribute?', { kind: 'guide' }],
    ['comment ajouter un plugin ?', { kind: 'guide' }],
    ['comment est-ce que je crée une règle ?', { kind: 'guide' }],
    ['comment exécuter les sessions en parallèle ?', { kind: 'guide' }],
    ['wie füge ich eine Regel hinzu?', { kind: 'guide' }],
    ['¿cómo puedo añadir una regla?', { kind: 'guide' }],
    ['如何添加插件？', { kind: 'guide' }],
    ['如何测试 atom？', { kind: 'guide' }],
    ['プラグインを追加する方法は？', { kind: 'guide' }],
    ['como faço para adicionar um plugin?', { kind: 'guide' }],
    ['comment fonctionne le cache ?', { kind: 'how' }],
    ['キャッシュはどうやって読み込まれますか', { kind: 'how' }],
    ['how do I use my own style?', { kind: 'guide' }],
    ['how do I check the code style?', manifest('lint')],
    ['what is the body limit by default?', { kind: 'value', of: 'body limit' }],
    ['which env variables does the server read?', { kind: 'collection' }],
    ['what is new in 8.18?', { kind: 'changes', version: '8.18' }],
    ['show the changelog', { kind: 'changes' }],
    ['show section 8.18.2 of the changelog', { kind: 'changes', version: '8.18.2' }],
    ['what does the changelog say about v0.8?', { kind: 'changes', version: '0.8' }],
    ['which version is this?', manifest('version')],
    ['what version of kit is this?', manifest('version')],
    ['which Node version does it need?', manifest('engine', 'node')],
    ['which Java version is needed to build this?', manifest('engine', 'java')],
    ['which PHP versions are supported?', manifest('engine', 'php')],
    ['which engine does it need?', manifest('engine')],
    ['which Elixir versions are tested in CI?', manifest('engine', 'elixir')],
    ['which extras can I install?', manifest('features')],
    ['minimum supported rust version', manifest('engine', 'rust')],
    ['how do I run the tests?', manifest('test')],
    ['how to run a single test', manifest('test')],
    ['how do I build it?', manifest('build')],
    ['how do I build the docs?', manifest('scripts', 'docs')],
    ['how do I start the server?', manifest('run')],
    ['how do I check types?', manifest('lint')],
    ['what does CI run?', manifest('ci')],
    ['what scripts are there?', manifest('scripts')],
    ['which packages are in this monorepo?', manifest('workspaces')],
    ['which dev dependencies are there?', manifest('dependencies')],
    ['which version of Werkzeug do we need?', manifest('dependency', 'Werkzeug')],
    ['who needs fast-uri?', manifest('dependency', 'fast-uri')],
    ['why do we depend on click?', manifest('dependency', 'click')],
    ['which license is this under?', manifest('license')],
    ['who maintains this?', manifest('author')],
    ['which modules implement the Io.Reader behaviour?', { ...uses('Io.Reader'), only: 'heirs' }],
    [
      'which callbacks does Io.Reader define?',
      { kind: 'outline', path: '.', of: 'Io.Reader', named: 'callback' },
    ],
    ['what functions does Io.Reader export?', { kind: 'outline', path: '.', of: 'Io.Reader' }],
    ['where is MAX_RETRIES set?', { kind: 'value', of: 'MAX_RETRIES' }],
    ['which platforms are supported?', manifest('platforms')],
    ['which operating systems does it run on?', manifest('platforms')],
    ['what variables does the role take?', { kind: 'collection', of: 'variables of a role' }],
    ['what roles are in this collection?', { kind: 'members', of: 'roles' }],
    ['how many tests are in tests/test_time.py?', { kind: 'collection', of: 'tests' }],
    ['list all exceptions', { kind: 'collection', of: 'errors and exceptions' }],
    ['which environment variables does kit read?', { of: 'environment variables' }],
    ['what endpoints are there?', { kind: 'collection', of: 'routes' }],
    ['which flags does it take?', { kind: 'collection', of: 'options' }],
    ['show all commands in src', { kind: 'collection', of: 'commands' }],
    ['who changed app.py last?', history('log', { path: 'app.py' })],
    ['why did sessions.py change?', history('log', { path: 'sessions.py', why: true })],
    ['history of make_response', history('lines', { name: 'make_response' })],
    ['why was dispatch_request changed?', history('lines', { why: true })],
    ['when was jsonify added?', history('added', { name: 'jsonify' })],
    ['commits by Ann Lee', history('log', { author: 'Ann Lee' })],
    ['when was app.py last changed and by whom?', history('log', { path: 'app.py' })],
    ['show me the parse method of Reader', definition('Reader.parse')],
    ['where is parse of Reader defined?', definition('Reader.parse')],
    ['how do I add many rows to a table with an importer of my own?', { kind: 'guide' }],
    ['what does the --force flag do?', { ...definition('--force'), isName: false }],
    ['which exceptions does parseConfig throw?', definition('parseConfig')],
    ['node requirement', manifest('engine', 'node')],
    ['look at the readme', { kind: 'file', path: 'readme' }],
    ['where is ParseError thrown', { kind: 'references', name: 'ParseError' }],
    ['run tests for just one package', { kind: 'manifest', about: 'test' }],
    ['min python version', manifest('engine', 'python')],
    ['whats new in the last version', { kind: 'changes' }],
    ['how long until a request times out', { kind: 'value', of: 'request timeout' }],
    ['exit codes?', { kind: 'collection', of: 'exit codes' }],
    ['what did cyrus do recently', { kind: 'history', about: 'log', author: 'cyrus' }],
    ['when did dark mode come in', { kind: 'history', about: 'topic', oldest: true }],
    ['who wrote most of the replay stuff', { about: 'authors', path: 'replay' }],
    ['difference between parseV1 and v2', { names: ['parseV1', 'parseV2'] }],
    ['difference between a note and a ReleasePlan', { names: ['Note', 'ReleasePlan'] }],
    ['who imports github.com/spf13/pflag?', { name: 'github.com/spf13/pflag', only: 'imports' }],
    ['which files import src/http?', { ...uses('src/http'), only: 'imports' }],
    ['which packages depend on @kit/types?', manifest('dependency', '@kit/types')],
    ['where is pom.xml?', { kind: 'listing', pattern: 'pom.xml', isNamed: true }],
    ['is there a Dockerfile?', { kind: 'listing', pattern: 'Dockerfile', isNamed: true }],
    ['where are the tests?', { kind: 'listing', pattern: '{*test*,*spec*}' }],
    ['what does src/http do?', { kind: 'about' }],
    ['explain the http folder', { kind: 'about' }],
    ['how is the code organised?', { kind: 'about', of: 'architecture' }],
    ['where is the entry point?', { kind: 'collection', of: 'entry points' }],
    ['which functions are deprecated?', { kind: 'collection', of: 'deprecated things' }],
    ['how many tests are there?', { kind: 'collection', of: 'tests' }],
    ['list all classes', { kind: 'outline', path: '.', defines: 'class' }],
    ['list all pump classes', { kind: 'outline', path: '.', defines: 'class', named: 'pump' }],
    ['what types are exported?', { kind: 'outline', path: '.', defines: 'type' }],
    ["what's in the latest release?", { kind: 'changes' }],
    ['why do we need semver?', manifest('dependency', 'semver')],
    ['who calls run?', { kind: 'references', name: 'run' }],
    ['how does the release get built?', { kind: 'manifest', about: 'ci', name: 'release' }],
    ['what are the values of SortColumn?', definition('SortColumn')],
    ['list the variants of ErrorKind', definition('ErrorKind')],
    ['which node version is used in CI?', manifest('engine', 'node')],
    ['which CI checks run on a pull request?', manifest('ci')],
    ['how do I write a task with dependencies?', { kind: 'guide' }],
    ['how do I run the tests of only the one file that I changed?', { kind: 'guide' }],
    ['how do I pause a job so that it no longer runs by itself at night?', { kind: 'how' }],
    ['what is the largest file?', { kind: 'size', about: 'largest' }],
    ['which source file has the most lines?', { kind: 'size', about: 'largest', only: 'code' }],
    ['longest function', { kind: 'complexity', by: 'lines' }],
    ['last commit', history('commit', { commit: 'HEAD' })],
    ['license', manifest('license')],
    ['which methods does Store have?', { kind: 'outline', of: 'Store' }],
    ['what does src/store.ts do?', { kind: 'file', path: 'src/store.ts', wants: 'purpose' }],
    ['what is in src/store.ts?', { kind: 'file', path: 'src/store.ts' }],
    ['which port does it listen on?', { kind: 'value', of: 'port' }],
    ['what is the default request timeout?', { kind: 'value', of: 'request timeout' }],
    ['what is the default for keepalive?', { kind: 'value', of: 'keepalive' }],
    ['which themes are available?', { kind: 'members', of: 'themes' }],
    ['list all hooks', { kind: 'members', of: 'hooks' }],
    ['what changed in the billing part recently?', history('topic', { words: ['billing'] })],
    ['why was the retry queue removed?', history('topic', { why: true })],
    ['when was the zoom option added?', history('topic', { words: ['zoom'], oldest: true })],
    ['when was dark mode added?', history('topic', { words: ['dark', 'mode'], oldest: true })],
    ['who are the main contributors?', history('contributors')],
    ['which linters are configured?', manifest('lint')],
    ['which features does the crate have?', manifest('features')],
    ['what is the biggest python file?', { about: 'largest', only: 'code', code: '*.py' }],
    ['longest TypeScript file', { about: 'largest', code: '*.{ts,tsx,mts,cts}' }],
    ['which flags does kit-run take?', { kind: 'collection', of: 'options' }],
    ['what subcommands does the kit binary have?', { kind: 'collection', of: 'commands' }],
    ['show me the Handler interface of http', definition('Handler')],
    ['when was http last changed?', history('log')],
    ['when did the --quiet flag come in?', history('added', { name: '--quiet' })],
    ['what changed in kit 0.8.9?', { kind: 'changes', version: '0.8.9' }],
    ['which features can I enable?', manifest('features')],
    ['which version of spring boot do we use?', manifest('dependency', 'spring-boot')],
    ['where are the e2e tests?', { kind: 'listing', pattern: expect.stringContaining('*e2e*') }],
    ['what are the build scripts?', manifest('scripts', 'build')],
    ['which test dependencies are there?', manifest('dependencies', 'dev')],
    ['which adapters exist?', { kind: 'members', of: 'adapters' }],
    ['what API routes are there?', { of: 'routes', files: '{**/api/**/*.ts,**/api/**/*.js}' }],
    ['how many Python files are there?', { kind: 'size', about: 'place', globs: ['*.py'] }],
    ['where are the tests for the harbour?', tests('harbour')],
    ['which pump types are supported?', { kind: 'members', of: 'pumps' }],
    ['what is the default value of pump.delay?', { kind: 'value', of: 'pump.delay' }],
    ['where is the parse function?', definition('parse')],
    ['where is the harbour class', definition('Harbour')],
    ['show LampStore parse method', definition('LampStore.parse')],
    ['which files import _lightAll?', { ...uses('_lightAll'), only: 'imports' }],
  ])('reads "%s"', (question, reading) => {
    expect(first(question)).toMatchObject(reading);
  });

  it.each([
    ['how are expired tokens refreshed?', 'how'],
    ['where is the retry limit set?', 'where'],
    ['how does the parser build a tree?', 'how'],
    ['why do the tests run twice?', 'how'],
    ['where is the version compared?', 'where'],
    ['where are modules searched and imported?', 'where'],
    ['who uses the cache?', 'where'],
    ['which errors are thrown when a file is missing?', 'how'],
    ['which options does the parser take for strings with escapes?', 'how'],
    ['where are errors handled?', 'where'],
    ['where is the import session class?', 'where'],
    ['show the request context class', 'how'],
    ['why does it need root?', 'how'],
    ['why is it called Viper?', 'how'],
    ['where is it run?', 'where'],
    ['what happens when a view returns None?', 'how'],
    ['how does it switch between debug and release mode?', 'how'],
    ['which formats can be edited, what about old notebooks?', 'how'],
    [`${'x'.repeat(500)} is defined where?`, 'where'],
    ['what does router_test.go test?', 'how'],
  ])('leaves "%s" to a search', (question, kind) => {
    expect(first(question).kind).toBe(kind);
  });

  it.each([
    ['list the TODOs in src', 'src'],
    ['which files in src/http use redirect?', 'src/http'],
    ['where is the timeout set in the http folder?', 'src/http'],
    ['where is the timeout set in http?', undefined],
    ['what is in other?', undefined],
    ['what does src/http do?', 'src/http'],
    ['explain the http folder', 'src/http'],
    ['which environment variables does http read?', 'src/http'],
    ['when was http last changed?', 'src/http'],
    ['what happens in http when a request fails?', undefined],
    ['which variables does the web role have?', 'roles/web'],
    ['what roles are in this collection?', 'roles'],
    ['which themes are available?', undefined],
    // Who imports a folder is not in it.
    ['which files import src/http?', undefined],
  ])('takes the folder of "%s"', (question, folder) => {
    expect(read(question).mentions.folder).toBe(folder);
  });

  it('says which other kind a question fits, and none where only every question fits', () => {
    expect(otherKinds(read('how do I build the docs?'))).toEqual(['guide']);
    expect(otherKinds(read('where is SecureCookieSession defined?'))).toEqual([]);
  });
});

describe('questions in other languages', () => {
  it.each([
    ['Wo ist appendString definiert?', definition('appendString')],
    ['Wer ruft jsonify auf?', uses('jsonify')],
    ['Welche Tests decken url_for ab?', tests('url_for')],
    ['Wie führe ich die Tests aus?', manifest('test')],
    ['Welche Python-Version wird benötigt?', manifest('engine', 'python')],
    ['Wer hat sessions.py zuletzt geändert?', history('log', { path: 'sessions.py' })],
    ['Was ist der Unterschied zwischen redirect und abort?', { names: ['redirect', 'abort'] }],
    ['Wer hat sessions.py geschrieben?', history('authors', { path: 'sessions.py' })],
    ['Wie viele Commits hat Ana Lee gemacht?', history('log', { author: 'Ana Lee', count: true })],
    ['combien de commits Ana a-t-elle faits ?', history('log', { author: 'Ana', count: true })],
    ['¿Dónde está definido compileSchema?', definition('compileSchema')],
    ['¿quién usa dominantField?', uses('dominantField')],
    ['¿Cómo ejecuto las pruebas?', manifest('test')],
    ['Où est défini wrapGenerator ?', definition('wrapGenerator')],
    ["Qu'est-ce que ce projet ?", { kind: 'about' }],
    ['Onde está definido isIdentifierStart?', definition('isIdentifierStart')],
    ['Qual é a versão?', manifest('version')],
    ['parseConfig 在哪里定义?', definition('parseConfig')],
    ['如何运行测试？', manifest('test')],
    ['parseConfigはどこで定義されていますか？', definition('parseConfig')],
    ['テストはどうやって実行しますか？', manifest('test')],
    ['Welche Version von Node brauche ich?', manifest('engine', 'node')],
    ['Wie ist das Projekt aufgebaut?', { kind: 'about', of: 'architecture' }],
    ['¿Qué versión de Python necesito?', manifest('engine', 'python')],
    ['Montre-moi la classe HelpFormatter', definition('HelpFormatter')],
    ["Quelles variables d'environnement sont lues ?", { of: 'environment variables' }],
    ['このプロジェクトの構成は?', { kind: 'about', of: 'architecture' }],
    ['项目的架构是什么?', { kind: 'about', of: 'architecture' }],
    ['Welche Pakete gibt es in diesem Monorepo?', manifest('workspaces')],
    ['Was ist die größte Datei?', { about: 'largest' }],
    ['Wer hat zuletzt an src/http/a.ts gearbeitet?', history('log', { path: 'src/http/a.ts' })],
    ['¿Cuáles son los comandos disponibles?', { of: 'commands' }],
    ['¿Cuál es el archivo más grande?', { about: 'largest' }],
    ['À quoi sert run.ts ?', { kind: 'file', wants: 'purpose' }],
    ['Quelles sont les dépendances de test ?', manifest('dependencies', 'dev')],
    ['Quelle version de clap utilise-t-on ?', manifest('dependency', 'clap')],
    ['Quem implementa Reader?', { ...uses('Reader'), only: 'heirs' }],
    ['有哪些命令?', { of: 'commands' }],
    ['例外の一覧を見せて', { of: 'errors and exceptions' }],
  ])('reads "%s"', (question, reading) => {
    expect(first(question)).toMatchObject(reading);
  });

  it('leaves English and words that it cannot read as they stand, and says so', () => {
    expect(read('where is X defined?').mentions).not.toHaveProperty('unread');
    const { mentions, readings } = read('Wie werden vergilbte Zettelkästen gelöscht?');
    expect(mentions.unread).toEqual(['vergilbte', 'Zettelkästen']);
    expect(mentions.text).toBe('how are vergilbte Zettelkästen deleted?');
    expect(readings[0].kind).toBe('how');
    const english = 'is the test of whilst run before the first one, and is it asynchronous?';
    expect(read(english).mentions).toMatchObject({ text: english });
  });

  it.each([
    ['Wie wird ein Block in eine Datei geschrieben?', 'how is a Block in a file written?'],
    ['¿Qué pasa cuando falla una petición?', 'what happens when fails a request?'],
    ['Welche Bücher haben fünf Sterne?', 'which books have five stars?'],
    ['quels livres ont cinq étoiles ?', 'which books have five stars?'],
    ['¿Qué libros tienen cinco estrellas?', 'what books have five stars?'],
    ['Comment sont enregistrées les commandes ?', 'how are registered the commands?'],
    ['Como são carregados os plugins?', 'how are loaded the plugins?'],
    ['为什么连接会被关闭？', 'why connection is closed?'],
    ['なぜ接続が閉じられるのですか？', 'why connection closed?'],
  ])('searches "%s" in English', (question, english) => {
    const { mentions, readings } = read(question);
    expect(readings[0].kind).toBe('how');
    expect(mentions.text).toBe(english);
  });
});

/** Further questions of each kind. */
const further: Readonly<Record<string, readonly string[]>> = {
  definition: [
    'what is a plugin?',
    'show the parse method of Reader',
    'what are the values of SortColumn?',
    'what is cosineFloor?',
  ],
  references: [
    'which files import wholeText?',
    'what imports src/lib/text?',
    'which files require lib/largest?',
  ],
  tests: ['which tests cover bound-module.ts?', 'where are the tests for the router?'],
  comparison: ['difference between a plugin and a tool'],
  file: ['Makefile', 'what does tests/run.ts do?', 'what does the largest module do?'],
  outline: ['list all interfaces', 'list all journal types', 'which callbacks does Reader define?'],
  manifest: [
    'which versions of valibot are used?',
    'who needs valibot?',
    'what is the license?',
    'which scripts are there?',
    'which Node version is used in CI?',
    'which linters are configured?',
    'which features does the crate have?',
    'which CI workflows are there?',
    'which platforms are supported?',
    'how does the release get built?',
  ],
  about: ['summarise this', 'what does src/http do?'],
  changes: ['what changed in the latest release?'],
  value: ['what is the default request timeout?', 'where is MAX_RETRIES set?'],
  members: ['which themes are available?', 'which databases are supported?'],
  collection: [
    'which exit codes are there?',
    'what commands are there?',
    'where is the entry point?',
    'which functions are deprecated?',
    'how many tests are there?',
    'which variables does the role take?',
  ],
  history: [
    'history of boundModule',
    'why was boundModule changed?',
    'what changed since v1.0?',
    'which commits since v1.0 touched package.json?',
    'what was the first commit?',
    'what happened in the billing part lately?',
    'when was dark mode added?',
    'who are the main contributors?',
  ],
  todo: ['what is left to do?'],
  listing: ['where is package.json?', 'where are the tests?'],
  size: ['how many TypeScript files are there?'],
  complexity: ['longest function'],
};
/** `| definition | \`where is boundModule defined?\`, … | …` */
const rows = readFileSync(join(import.meta.dirname, '../../docs/ask.md'), 'utf8').matchAll(
  /^\| ([a-z]+) \| (`[^|]+`) \|/gm,
);
const examples = [
  ...[...rows].flatMap(([, kind = '', cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map((match) => [match[1] as string, kind] as const),
  ),
  ...Object.entries(further).flatMap(([kind, asked]) => asked.map((each) => [each, kind] as const)),
];

describe('words of other languages', () => {
  it.each([
    ['wo wird die Konfigurationsdatei gelesen?', 'configuration file'],
    ['¿dónde se cifran los datos?', 'encrypted the data'],
    ['où sont calculées les longueurs ?', 'computed the length'],
  ])('are read in other forms and joined: %s', (question, english) => {
    expect(toEnglish(question).text).toContain(english);
  });
});

describe('the table of kinds in docs/ask.md', () => {
  it('has a row for every kind that has words of its own', () => {
    const shown = new Set(examples.map(([, kind]) => kind));
    // An address alone is a question of the web.
    expect(Object.keys(kinds).filter((name) => !shown.has(name))).toEqual(['web']);
  });

  it.each(examples)('reads "%s" as %s', (question, kind) => {
    expect(first(question).kind).toBe(kind);
  });
});

describe('lines of routes and environment variables', () => {
  const patternOf = (of: string) =>
    new RegExp(collections.find((each) => each.of === of)?.pattern ?? '(?!)');

  it.each([
    "api.add_resource(TodoList, '/todos')",
    'app.get("/users", handler);',
    '@app.route("/health")',
    'app.service(web::resource("/upload").route(web::post().to(upload)));',
    'r.HandleFunc("/items", items)',
    '#[get("/hello")]',
    '@GetMapping("/users")',
    'Route("/users", endpoint=users)',
  ])('takes %s as a route', (line) => {
    expect(patternOf('routes').test(line)).toBe(true);
  });

  it.each([
    "res = client.get('/', headers=[])",
    'await axios.post("/users", body);',
    'requests.get("/x")',
    'def add_resource(self, resource, *urls, **kwargs):',
  ])('leaves %s, which calls one or none', (line) => {
    expect(patternOf('routes').test(line)).toBe(false);
  });

  it.each([
    ['list_cmd = ui.Subcommand("list", help="x")', true],
    ["program.addCommand(new Command('run'))", true],
    ['\tcmd := &cobra.Command{', true],
    ['func newRun(options *Options) *cobra.Command {', false],
    ['cmd := exec.Command("git", "describe")', false],
  ])('tells whether %s makes a command: %s', (line, isOne) => {
    expect(patternOf('commands').test(line)).toBe(isOne);
  });

  it.each([
    ['options', 'o.on "-q", "--queue NAME" do |arg|'],
    ['options', 'option(FMT_TEST "Generate the test target." ON)'],
    ['errors and exceptions', '  class Skip < ::RuntimeError; end'],
    ['errors and exceptions', 'defmodule Kit.NotSentError do'],
    ['errors and exceptions', 'public enum Failure: Error, Sendable {'],
    ['deprecated things', '@available(*, deprecated, message: "Use load()")'],
    ['deprecated things', '[[deprecated]] void load();'],
    ['tests', 'func TestEmoji(t *testing.T) {'],
  ])('takes for %s, in other languages, %s', (of, line) => {
    expect(patternOf(of).test(line)).toBe(true);
  });

  it.each([
    ['options', 'option(value)'],
    ['errors and exceptions', 'struct Reply: Codable {'],
    ['errors and exceptions', 'struct Box: Holder<any Error> {'],
    ['tests', 'func BenchmarkGet(b *testing.B) {'],
  ])('leaves for %s %s', (of, line) => {
    expect(patternOf(of).test(line)).toBe(false);
  });

  it.each([
    'Gopath string `env:"GOPATH"`',
    'viper.BindEnv("PORT")',
    'DEBUG = env.bool("DEBUG", False)',
    'os.Getenv("PAGER")',
    'pub static KIT_COLORS: &str = "KIT_COLORS";',
    ['@Value("$', '{server.port}")'].join(''),
  ])('takes %s as an environment variable', (line) => {
    expect(patternOf('environment variables').test(line)).toBe(true);
  });
});
