/** An arrow between two parts of `src`: which one imports which, and why. */
export type Edge = { from: string; to: string; why: string };

/** How many arrows one person can hold in mind. */
export const mostEdges = 30;

/** What must stay free of every other part, whoever wants it. */
export const leaves: readonly string[] = ['policy', 'guard', 'contracts', 'lib'];

/**
 * Which part imports which, beside `contracts` and `lib`, which all may. Those who put parts
 * together (`kernel`, `cli`, `build`) are no parts.
 */
export const edges: readonly Edge[] = [
  { from: 'protocol', to: 'paths', why: 'a path is checked where a frame is read' },
  { from: 'fs', to: 'paths', why: 'a guest’s files are opened below its roots' },
  { from: 'finder', to: 'fs', why: 'the index answers what a walk, a scan and a tally ask' },
  { from: 'wasi', to: 'paths', why: 'wasi:filesystem resolves names as the host does' },
  { from: 'wasi', to: 'fs', why: 'both list directories with the same masks' },
  { from: 'wasi', to: 'protocol', why: 'values cross the edge of a component by their types' },
  { from: 'sandbox', to: 'paths', why: 'what is masked is a path below a root' },
  { from: 'programs', to: 'paths', why: 'a program’s folders are roots' },
  { from: 'programs', to: 'http', why: 'the proxy of programs makes the requests of plugins' },
  { from: 'programs', to: 'sandbox', why: 'a program runs in bubblewrap' },
  { from: 'host', to: 'paths', why: 'grants of files are roots' },
  { from: 'host', to: 'protocol', why: 'it speaks with the process of a plugin' },
  { from: 'host', to: 'fs', why: 'the process of a plugin serves its files' },
  { from: 'host', to: 'wasi', why: 'the process of a plugin serves WASI' },
  { from: 'host', to: 'http', why: 'requests of plugins' },
  { from: 'host', to: 'programs', why: 'the interface exec runs programs' },
  { from: 'host', to: 'sandbox', why: 'the process of a plugin runs in bubblewrap' },
  { from: 'packages', to: 'host', why: 'what is fetched becomes a record of the plugin store' },
  { from: 'packages', to: 'policy', why: 'lists of publishers are TOML as rules are' },
  { from: 'consent', to: 'policy', why: 'an answer is a grant' },
  { from: 'talk', to: 'guard', why: 'what leaves, what came and what was called is checked' },
  { from: 'talk', to: 'models', why: 'prompts are built, counted and cached as models take them' },
  { from: 'talk', to: 'ask', why: 'a model that only words answers reads the same evidence' },
  { from: 'talk', to: 'planner', why: 'it mends failed calls' },
  { from: 'talk', to: 'questions', why: 'it offers tools by goal' },
  { from: 'memory', to: 'guard', why: 'a fact that holds a key or orders is told to its person' },
  { from: 'memory', to: 'store', why: 'what a run told is undone and forgotten by its journal' },
];
