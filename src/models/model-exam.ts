import type { ModelTool } from '../contracts/model.ts';
import type { JsonObject } from '../contracts/tool.ts';
import type { Observation } from './build-prompt.ts';

/** The right tool, and an expression that the JSON of its input must match. */
export type ExpectedCall = { tool: string; input?: RegExp };

/** A question with one tool as the obvious next step, or with none. */
export type ChoiceItem = {
  question: string;
  /** the right calls in order, each with its result; empty where no tool fits */
  steps: readonly (ExpectedCall & { result?: string })[];
};

/** A question with evidence, which answers it or not. */
export type WordItem = {
  question: string;
  evidence: readonly Observation[];
  /** the fact, in any wording */
  fact: RegExp;
  /** words that say something else, or that the answer is unknown */
  contradiction: RegExp;
};

function object(properties: JsonObject, required: string[]): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

function tool(name: string, description: string, ...inputs: string[]): ModelTool {
  const properties = Object.fromEntries(inputs.map((input) => [input, { type: 'string' }]));
  return { name, description, inputSchema: object(properties, inputs) };
}

/**
 * Tools like those that come with cuervo. Their own set, fixed, so that scores stay comparable
 * when plugins change.
 */
export const examTools: readonly ModelTool[] = [
  tool(
    'search.grep',
    'Finds every line that matches a regular expression or an exact text.',
    'pattern',
  ),
  tool(
    'search.passages',
    'Finds the passages of the project that explain a topic, for a question in words.',
    'question',
  ),
  tool('search.todos', 'Lists the TODO and FIXME comments: what is left to do.'),
  tool('file.read', 'Shows the text of one file whose path is known.', 'path'),
  tool('file.find', 'Finds files by a glob pattern of their names, such as *.md.', 'glob'),
  tool('file.tree', 'Shows the folders of the project as a tree.'),
  tool('git.log', 'Lists the newest commits with author, date and subject.'),
  tool('web.fetch', 'Reads a page of the web whose address is known.', 'url'),
];

const one = (question: string, tool: string, input?: RegExp): ChoiceItem => ({
  question,
  steps: [{ tool, ...(input === undefined ? {} : { input }) }],
});
const none = (question: string): ChoiceItem => ({ question, steps: [] });
const two = (
  question: string,
  first: ExpectedCall & { result: string },
  second: ExpectedCall,
): ChoiceItem => ({ question, steps: [first, second] });

/** One in six has no right tool; six take two steps. */
export const choiceItems: readonly ChoiceItem[] = [
  one('Show me the text of the file src/config.ts.', 'file.read', /src\/config\.ts/),
  one('Open README.md.', 'file.read', /README\.md/),
  one('What does the file docs/install.md say?', 'file.read', /docs\/install\.md/),
  one('Read package.json and show it to me.', 'file.read', /package\.json/),
  one('Print the contents of lib/server/routes.js.', 'file.read', /lib\/server\/routes\.js/),
  one('Show CHANGELOG.md.', 'file.read', /CHANGELOG\.md/),
  one('Give me the source of src/http/retry.ts.', 'file.read', /src\/http\/retry\.ts/),
  one('I want to see the file Makefile.', 'file.read', /Makefile/),
  one('Which TODO and FIXME comments are left to do?', 'search.todos'),
  one('List all open TODOs.', 'search.todos'),
  one('What did the authors mark as FIXME?', 'search.todos'),
  one('Which comments say that something still has to be done?', 'search.todos'),
  one('Show the folders of this project as a tree.', 'file.tree'),
  one('How is this project laid out in folders?', 'file.tree'),
  one('Draw the directory tree.', 'file.tree'),
  one('Which folders are there, and what lies in which?', 'file.tree'),
  one('Find all files whose names end in .md.', 'file.find', /\*\.md/),
  one('List every file called index.ts.', 'file.find', /index\.ts/),
  one('Which files have the ending .yaml?', 'file.find', /\.yaml/),
  one('Where are the files named Dockerfile?', 'file.find', /Dockerfile/),
  one('Find the test files, which end in .test.ts.', 'file.find', /\.test\.ts/),
  one('Find files with names like *.sql.', 'file.find', /\*\.sql/),
  one('Find every line that contains the exact text "maxRetries".', 'search.grep', /maxRetries/),
  one('Search all lines for "export function openStore".', 'search.grep', /openStore/),
  one('On which lines does the text "readonly path" stand?', 'search.grep', /readonly path/),
  one('Grep for the pattern "import .* from".', 'search.grep', /import/),
  one('Which lines match the regular expression ^class ?', 'search.grep', /class/),
  one('Find all lines with the word "deprecated" in them.', 'search.grep', /deprecated/),
  one('Show each line that mentions "ECONNRESET".', 'search.grep', /ECONNRESET/),
  one('Explain how a failed request is tried again.', 'search.passages'),
  one('How does this program decide which plugins it trusts?', 'search.passages'),
  one('Why does the cache forget old entries?', 'search.passages'),
  one('What happens in this project when the disk is full?', 'search.passages'),
  one('How are users told about an error?', 'search.passages'),
  one('What is the idea behind the two kinds of memory here?', 'search.passages'),
  one('How does the program find its configuration?', 'search.passages'),
  one('What were the newest commits?', 'git.log'),
  one('Who committed last, and when?', 'git.log'),
  one('List the recent commits with their authors.', 'git.log'),
  one('What has been committed this week?', 'git.log'),
  one('Read the page https://example.org/guide.', 'web.fetch', /https:\/\/example\.org\/guide/),
  one('What does https://example.com say?', 'web.fetch', /https:\/\/example\.com/),
  one('Fetch https://docs.example.net/api and show it.', 'web.fetch', /docs\.example\.net\/api/),
  one('Open the web page http://127.0.0.1:8080/status.', 'web.fetch', /127\.0\.0\.1:8080/),
  two(
    'Find the file whose name is limits.ts, then show its text.',
    { tool: 'file.find', input: /limits\.ts/, result: 'src/host/limits.ts' },
    { tool: 'file.read', input: /src\/host\/limits\.ts/ },
  ),
  two(
    'Find the line with "defaultPort", then open the file that it is in.',
    { tool: 'search.grep', input: /defaultPort/, result: 'src/net/ports.ts:4: defaultPort = 80' },
    { tool: 'file.read', input: /src\/net\/ports\.ts/ },
  ),
  two(
    'Find the files that end in .proto, then show the first of them.',
    { tool: 'file.find', input: /\.proto/, result: 'api/user.proto\napi/team.proto' },
    { tool: 'file.read', input: /api\/user\.proto/ },
  ),
  two(
    'Read docs/links.md, then fetch the page that it names.',
    { tool: 'file.read', input: /docs\/links\.md/, result: 'See https://example.org/spec.' },
    { tool: 'web.fetch', input: /https:\/\/example\.org\/spec/ },
  ),
  two(
    'Read NAMES.txt, then find every line with the word that stands in it.',
    { tool: 'file.read', input: /NAMES\.txt/, result: 'quokka' },
    { tool: 'search.grep', input: /quokka/ },
  ),
  two(
    'List the TODO comments, then show the file of the first one.',
    { tool: 'search.todos', result: 'src/app/main.ts:9: TODO close the socket' },
    { tool: 'file.read', input: /src\/app\/main\.ts/ },
  ),
  none('Thank you, that is all for today.'),
  none('Hello! How are you?'),
  none('What is 17 times 3?'),
  none('Book me a table for two at eight.'),
  none('Turn the lights in the kitchen off.'),
  none('Send an e-mail to my sister.'),
  none('Play some music, please.'),
  none('What is the capital of France?'),
  none('Translate "good morning" into Spanish.'),
  none('Call a taxi to the station.'),
];

const unknown =
  /\b(?:not (?:known|stated|specified|given|mentioned|provided|answer)|does(?: not|n't) (?:say|answer|state|mention|specify|provide)|unknown|no information)\b/i;

function word(
  question: string,
  source: string,
  text: string,
  fact: RegExp,
  contradiction: RegExp = unknown,
): WordItem {
  return { question, evidence: [{ source, text }], fact, contradiction };
}

/** In two of them the evidence does not answer the question. */
export const wordItems: readonly WordItem[] = [
  word(
    'How many times is a failed request tried again?',
    'src/http/retry.ts:12',
    '// A failed request is tried again 7 times.\nexport const maxRetries = 7;',
    /\b(?:7|seven)\b/i,
    /\b(?:not (?:known|stated|specified|given)|does not (?:say|answer)|never|infinit|unlimited)/i,
  ),
  word(
    'In which file are the grants kept?',
    'docs/security.md:40',
    'All grants are kept in the file grants.toml.',
    /\bgrants\.toml\b/i,
    /\b(?:not (?:known|stated|specified|given|kept)|does not (?:say|answer)|never)\b/i,
  ),
  word(
    'Which port does the server listen on?',
    'src/server.ts:3',
    'const port = 8431; // the server listens here',
    /\b8431\b/,
  ),
  word(
    'Who wrote the parser?',
    'AUTHORS:2',
    'The parser was written by Ada Quill in 2021.',
    /\bAda Quill\b/i,
  ),
  word(
    'What is the licence of this project?',
    'README.md:80',
    'This project is under the Apache-2.0 licence.',
    /\bApache/i,
  ),
  word(
    'When do releases happen?',
    'docs/release.md:5',
    'Releases happen every second Thursday.',
    /\bThursday/i,
    /\b(?:every day|Monday|Tuesday|Wednesday|Friday|not (?:known|stated|specified|given))\b/i,
  ),
  word(
    'What does the command "tidy" delete?',
    'docs/commands.md:31',
    'The command tidy deletes temporary files that are older than a week.',
    /\btemporary files\b/i,
  ),
  word(
    'Which function opens the store?',
    'src/store/open-store.ts:20',
    'export function openStore(path: string): Store {',
    /\bopenStore\b/,
  ),
  word(
    'How large may a file be?',
    'src/limits.ts:7',
    '// A file may have at most 16 MiB.\nexport const maxFileBytes = 16 * 1024 * 1024;',
    /\b16\s*(?:MiB|MB|\*|megabytes)/i,
  ),
  word(
    'Which database keeps the sessions?',
    'docs/storage.md:12',
    'Sessions are kept in SQLite, in the file app.db.',
    /\bSQLite\b/i,
  ),
  word(
    'Which colour has the logo?',
    'src/net/dns.ts:8',
    'Names are looked up again after 60 seconds.',
    /\b(?:not|no|does(?:n't| not)|unknown|cannot|can't)\b/i,
    /\b(?:red|blue|green|yellow|black|white|orange|purple|grey|gray)\b/i,
  ),
  word(
    'How many people work on the project?',
    'docs/build.md:3',
    'The build needs a compiler for C and takes a minute.',
    /\b(?:not|no|does(?:n't| not)|unknown|cannot|can't)\b/i,
    /\b(?:\d+|one|two|three|four|five|six|seven|ten) (?:people|persons|developers|engineers)\b/i,
  ),
];
