import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cCompiler } from './support/c-guest.ts';
import type { Need } from './support/escape-case.ts';
import { foldingDisk } from './support/folding-disk.ts';
import { enclosed, twoUsers } from './support/neighbour.ts';
import { networkPrograms } from './support/network-programs.ts';
import { storyModel } from './support/story-model.ts';
import { strangerDisk } from './support/stranger-disk.ts';

/**
 * Takes each defence away in turn, in a copy of the sources, and shows that the case which is
 * named beside it then fails, while its control still passes: the copy works, only that
 * defence is gone. Before that, all of these cases have to pass with nothing taken away; one that
 * does not is told and left out.
 *
 * `npm run defences [-- NAME …]`; exit code 1 when a case passes without its defence, or fails with it.
 */
const root = resolve(import.meta.dirname, '../..');

type Edit = { file: string; from: string; to: string };
export type Defence = {
  name: string;
  /** each text stands in its file exactly once */
  edits: Edit[];
  /** of `tests/escape/FILE.test.ts` */
  file: string;
  case: string;
  /** how the title of the denial begins */
  denial: string;
  /** as of its case */
  needs?: Need;
  /** built-in plugins that play a part in its case */
  plugins?: readonly string[];
};

const edit = (file: string, from: string, to: string): Edit => ({ file: `src/${file}`, from, to });
/** A part of a built-in plugin. */
const pluginEdit = (file: string, from: string, to: string): Edit => ({
  file: `plugins/${file}`,
  from,
  to,
});
const processFile = 'host/run/plugin-process.ts';
const flagsFile = 'sandbox/engine-flags.ts';
const bubblewrap: Need = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };
const confinedPlainly = edit(
  'sandbox/process-sandbox.ts',
  'confineInBubblewrap(found, program, firstInherited)',
  'confinePlainly(program)',
);
// Node takes what it allows only together with it.
const withoutPermissions = edit(
  'sandbox/confine-program.ts',
  "    '--permission',",
  "    ...(flags.length > 0 ? [...flags, find(entry), ...args] : []), '--permission',",
);
const unboundedMemory = [
  edit(
    'host/install/prepare-plugin.ts',
    'planMemoryBounds(contents, limits.maxMemoryBytes)',
    'planMemoryBounds(contents, 2 ** 32)',
  ),
  edit('host/process/create-instance.ts', 'if (pages > open.maxPages) {', 'if (false) {'),
  edit('host/plugin-host.ts', 'requireMemory(loaded, options.limits.maxMemoryBytes);', ''),
];
/** Nobody ends a process that is left, where no sandbox does. */
const unwatched = edit(
  processFile,
  "if (launch.tier === 'process') this.#options.orphanReaper?.watch(child);",
  '',
);
/** A call that failed counts as one that gave its result. */
const untold = edit('host/process/main.ts', '    error: failed,', '    error: done,');
const budget = edit(processFile, 'waiter.check(received);', '');

export const defences: readonly Defence[] = [
  {
    name: 'names as bytes',
    edits: [
      edit(
        'lib/files/raw-fs.ts',
        "if (!entries.some(({ name }) => name.includes('\\ufffd'))) return entries;",
        'if (entries) return entries;',
      ),
      edit(
        'programs/exec/survey-root.ts',
        "if (use === 'mask') throw new ServiceError('conflict',",
        "if (use !== use) throw new ServiceError('conflict',",
      ),
    ],
    file: 'names-as-bytes',
    case: 'name that is not UTF-8',
    denial: 'hides no protected file',
    needs: bubblewrap,
  },
  {
    name: 'names of files with secrets',
    edits: [
      edit('contracts/name-lists.ts', '*.env .dev.vars* local.settings.json .yarnrc.yml', ''),
    ],
    file: 'secret-names',
    case: 'file that a tool keeps a secret in',
    denial: 'is read by no tool',
    plugins: ['file', 'search'],
  },
  {
    name: 'wasi writes that are cut',
    edits: [
      edit(
        'wasi/filesystem/pending-files.ts',
        'if (!file.detached) lost.push(',
        'if (!file) lost.push(',
      ),
    ],
    file: 'wasi-program',
    case: 'wasi: file cut at the limit',
    denial: 'a program that does not mind',
    needs: cCompiler,
  },
  {
    name: 'other spellings',
    edits: [
      edit(
        'programs/exec/survey-root.ts',
        "if (known.otherSpellings && use === 'mask') throw new ServiceError('denied', otherSpellings);",
        '',
      ),
    ],
    file: 'other-spellings',
    case: 'name in another case',
    denial: 'no program runs where a mask',
    needs: foldingDisk,
    plugins: ['file'],
  },
  {
    name: 'stack of a pattern',
    edits: [
      edit(
        'fs/scan-tree.ts',
        'if (!(thrown instanceof RangeError)) throw thrown;',
        'throw thrown;',
      ),
    ],
    file: 'giant-reader',
    case: 'file in which a pattern needs more stack than there is',
    denial: 'it takes no other file along',
    plugins: ['search'],
  },
  {
    name: 'quotes of a question',
    edits: [
      edit(
        'cli/show-exact.ts',
        'return JSON.stringify(text).replace(unseen, escapeUnits);',
        'return text;',
      ),
    ],
    file: 'consent',
    case: 'question forged by what is asked about',
    denial: 'arguments of a program',
  },
  {
    name: 'refusals in a row',
    edits: [edit('consent/consent-desk.ts', 'const maxRefusals = 3;', 'const maxRefusals = 1000;')],
    file: 'consent',
    case: 'yes of nobody',
    denial: 'a yes to one change',
  },
  {
    name: 'keys of a project',
    edits: [
      edit(
        'config/parse-config.ts',
        'const fileSchema = v.strictObject({',
        'const fileSchema = v.object({',
      ),
    ],
    file: 'consent',
    case: 'project that widens',
    denial: 'no key of its cuervo.toml',
  },
  {
    name: 'capabilities.deny',
    edits: [edit('policy/decide.ts', 'capability === what.capability &&', 'false &&')],
    file: 'consent',
    case: 'project that widens',
    denial: 'and what it narrows',
  },
  {
    name: 'copied bytes',
    edits: [edit('wasi/adapters/adapt-exports.ts', 'copied += bytes;', '')],
    file: 'list-copier',
    case: 'result of one megabyte many times',
    denial: 'three hundred of the same',
  },
  {
    name: '--permission',
    // Node takes what it allows only together with it.
    edits: [edit(flagsFile, "return ['--permission',", 'return [];\n  return [')],
    file: 'native-probe',
    case: 'native code in a plugin process',
    denial: 'files, folders',
  },
  {
    name: 'signal for the debugger',
    edits: [edit('cli/launcher.cjs', "process.on('SIGUSR1', () => {});", '')],
    file: 'debugger',
    case: 'debugger opened by a signal',
    denial: 'not that of the command line',
  },
  {
    name: 'signal to a child',
    edits: [edit('sandbox/engine-flags.ts', "'--disable-sigusr1',", '')],
    file: 'debugger',
    case: 'debugger opened by a signal',
    denial: 'not that of a child',
  },
  {
    name: 'modules of Node for a model',
    edits: [
      edit(
        'sandbox/lock-down-models.cjs',
        'isBuiltin(name) && openModules[name] !== true',
        'isBuiltin(name) && false',
      ),
    ],
    file: 'node-surface',
    case: 'what Node offers to a process that runs a model',
    denial: 'no module but those',
  },
  {
    name: 'modules of Node',
    edits: [
      edit(
        'sandbox/lock-down.cjs',
        'process.permission !== undefined',
        'process.permission === undefined',
      ),
    ],
    file: 'node-surface',
    case: 'what Node offers to a plugin process',
    denial: 'no module',
  },
  {
    name: 'members of process',
    edits: [edit('sandbox/lock-down.cjs', 'if (!openOfProcess[name])', 'if (name === "")')],
    file: 'node-surface',
    case: 'what Node offers to a process that transpiles',
    denial: 'nothing of process',
  },
  {
    name: 'paths that Node tells of',
    edits: [edit('sandbox/lock-down.cjs', 'followed[path] !== true', 'false')],
    file: 'node-surface',
    case: 'what Node offers to a plugin process',
    denial: 'nothing that the permission',
  },
  {
    name: 'owner of compiled code',
    edits: [edit('cli/start.cjs', ' && isOwn(folder, { isPrivate: true })', '')],
    file: 'neighbour-code',
    case: 'compiled code that a neighbour could have written',
    denial: 'none where the home',
    needs: twoUsers,
  },
  {
    name: 'folder of compiled code',
    edits: [edit('cli/start.cjs', 'process.env.NODE_COMPILE_CACHE !== undefined', 'false')],
    file: 'neighbour-code',
    case: 'compiled code that a neighbour could have written',
    denial: 'none is kept in the shared',
    needs: twoUsers,
  },
  {
    name: 'core names',
    edits: [
      edit(
        'host/install/transpile/transpile-component.ts',
        "if (name.endsWith('.wasm')) checkCoreNames(bytes);",
        'void [name, bytes];',
      ),
    ],
    file: 'code-names',
    case: 'names that would be code',
    denial: 'nor does a name of a core module',
  },
  {
    name: 'permission by number',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
    edits: [edit(flagsFile, '/proc/self/fd/${digit}*', '/proc/self/fd/*')],
    file: 'native-probe',
    case: 'native code in a plugin process',
    denial: 'files, folders',
  },
  {
    name: 'environment',
    edits: [edit(processFile, 'env: {},', 'env: process.env,')],
    file: 'native-probe',
    case: 'native code in a plugin process',
    denial: 'environment',
  },
  {
    name: 'links by path',
    edits: [
      edit('paths/open-name.ts', 'const noFollow = constants.O_NOFOLLOW;', 'const noFollow = 0;'),
      edit('paths/open-name.ts', 'if (found.isSymbolicLink())', 'if (false)'),
      edit('paths/open-name.ts', '!isSame(opened,', 'false && !isSame(opened,'),
    ],
    file: 'by-path',
    case: 'links where names are reached by path',
    denial: 'to files and folders outside',
  },
  {
    name: 'paths of roots',
    edits: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
      edit('sandbox/launch-plain.ts', '`--allow-fs-read=${path}`', "'--allow-fs-read=*'"),
    ],
    file: 'by-path',
    case: 'process that is given the paths of its roots',
    denial: 'reads nothing else',
  },
  {
    name: 'inherited descriptors',
    edits: [edit('sandbox/masked-paths.ts', 'inherited().has(number)', 'false')],
    file: 'left-open',
    case: 'folder that the parent of cuervo left open',
    denial: 'native code of a plugin',
  },
  {
    name: 'inherited descriptors, sandbox',
    edits: [edit('sandbox/masked-paths.ts', 'inherited().has(number)', 'false')],
    file: 'left-open',
    case: 'folder that the parent of cuervo left open',
    denial: 'nor does it in the sandbox',
  },
  {
    name: 'namespaces',
    edits: [
      edit(
        'sandbox/launch-bubblewrap.ts',
        "'--unshare-all',",
        "'--unshare-user', '--unshare-uts',",
      ),
      edit('sandbox/masked-paths.ts', "'--proc', '/proc'", "'--ro-bind', '/proc', '/proc'"),
    ],
    file: 'native-sandbox',
    case: 'native code in the sandbox of the operating system',
    denial: 'no network, program',
  },
  {
    name: 'files of the kernel, plugin process',
    edits: [edit('sandbox/masked-paths.ts', "...['--remount-ro', '/proc'],", '')],
    file: 'native-sandbox',
    case: 'kernel and host as a plugin process sees them',
    denial: 'no file in /proc and /sys',
    needs: bubblewrap,
  },
  {
    name: 'files of the kernel, program',
    edits: [edit('sandbox/masked-paths.ts', "...['--remount-ro', '/proc'],", '')],
    file: 'kernel-files',
    case: 'kernel and host as a program sees them',
    denial: 'no file in /proc and /sys',
    needs: bubblewrap,
  },
  {
    name: 'files of root',
    edits: [edit('sandbox/masked-paths.ts', 'process.geteuid?.() === 0', 'false')],
    file: 'kernel-files',
    case: 'kernel and host as a program sees them',
    denial: 'no file of root',
    needs: {
      ...bubblewrap,
      file: '/usr/bin/bwrap, and root',
      isThere: () => existsSync(bubblewrap.file) && process.geteuid?.() === 0,
    },
  },
  {
    name: 'arguments of bubblewrap by descriptor',
    edits: [
      edit(
        'sandbox/launch-bubblewrap.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
        "...['--args', inherit(toBytes(`${options.join('\\0')}\\0`)), '--', node],",
        "...options, '--', node,",
      ),
    ],
    file: 'native-sandbox',
    case: 'kernel and host as a plugin process sees them',
    denial: 'no process tells',
    needs: bubblewrap,
  },
  {
    name: 'arguments of bubblewrap for a program',
    edits: [
      edit(
        'programs/exec/plan-launch.ts',
        "const confine = ['--args', '4',",
        "const confine = [...bwrapOptions, '--args', '4',",
      ),
      edit('programs/exec/plan-launch.ts', 'bwrapOptions: [...bwrapOptions, ', 'bwrapOptions: ['),
    ],
    file: 'kernel-files',
    case: 'kernel and host as a program sees them',
    denial: 'no process tells',
    needs: bubblewrap,
  },
  {
    name: 'sandbox of a transpiler',
    edits: [confinedPlainly],
    file: 'confined-programs',
    case: 'process that transpiles or compiles, in the sandbox of the operating system',
    denial: 'it reads its own files',
    needs: bubblewrap,
  },
  {
    name: 'sandbox of a model process',
    edits: [confinedPlainly],
    file: 'confined-programs',
    case: 'process of a model, in the sandbox of the operating system',
    denial: 'it reads its own files',
    needs: bubblewrap,
  },
  {
    name: 'permissions of a transpiler',
    edits: [withoutPermissions],
    file: 'confined-programs',
    case: 'process that transpiles or compiles, under the permission model alone',
    denial: 'it reads its own files',
  },
  {
    name: 'permissions of a model process',
    edits: [withoutPermissions],
    file: 'confined-programs',
    case: 'process of a model, under the permission model alone',
    denial: 'it reads its own files',
  },
  {
    name: 'filter of system calls',
    edits: [
      edit(
        'sandbox/seccomp-filter.ts',
        'if (known === undefined ||',
        'if (true || known === undefined ||',
      ),
    ],
    file: 'native-sandbox',
    case: 'native code in the sandbox of the operating system',
    denial: 'no network, program',
  },
  {
    name: 'roots bound read-only',
    edits: [
      edit(
        'sandbox/launch-bubblewrap.ts',
        "mounts.push('--ro-bind', folder, inside);",
        "mounts.push('--bind', folder, inside);",
      ),
    ],
    file: 'native-sandbox',
    case: 'native code in the sandbox of the operating system',
    denial: 'no file is written',
  },
  {
    name: 'descriptor that only reads',
    edits: [
      edit('sandbox/launch-bubblewrap.ts', '`, constants.O_RDONLY)', '`, constants.O_RDWR)'),
      edit(
        'sandbox/launch-bubblewrap.ts',
        'constants.O_RDWR, 0o400);',
        'constants.O_RDWR, 0o600);',
      ),
    ],
    file: 'native-sandbox',
    case: 'file without a name that brings a plugin',
    denial: 'what the process inherits',
    needs: bubblewrap,
  },
  {
    name: 'rights of a file without a name',
    edits: [
      edit(
        'sandbox/launch-bubblewrap.ts',
        'withoutName | constants.O_RDWR, 0o400',
        'withoutName | constants.O_RDWR, 0o600',
      ),
    ],
    file: 'native-sandbox',
    case: 'file without a name that brings a plugin',
    denial: 'what the process inherits',
    needs: bubblewrap,
  },
  {
    name: 'masks of a plugin process',
    edits: [
      edit('sandbox/masked-paths.ts', 'if (kind !== undefined) masks.push({ path, kind });', ''),
    ],
    file: 'native-sandbox',
    case: 'native code in the sandbox of the operating system',
    denial: 'no key',
  },
  {
    name: 'death with the parent',
    edits: [
      edit('sandbox/launch-bubblewrap.ts', "'--die-with-parent',", ''),
      edit(
        'lib/process/child.ts',
        "process.kill(-child.pid, 'SIGKILL');",
        "process.kill(child.pid, 'SIGKILL');",
      ),
    ],
    file: 'native-sandbox',
    case: 'process that will not end',
    denial: 'killed',
  },
  {
    name: 'O_NOFOLLOW',
    edits: [
      edit('paths/open-name.ts', 'const noFollow = constants.O_NOFOLLOW;', 'const noFollow = 0;'),
    ],
    file: 'link-follower',
    case: 'link to a file outside',
    denial: 'the text is denied',
  },
  {
    name: 'O_NOFOLLOW of writes',
    edits: [
      edit('paths/open-name.ts', 'const noFollow = constants.O_NOFOLLOW;', 'const noFollow = 0;'),
    ],
    file: 'file-writer',
    case: 'write through a link',
    denial: 'through a folder that is a link',
  },
  {
    name: 'protected from writes',
    edits: [
      edit(
        'host/interfaces/fs-write.ts',
        "if (isUnwritable(path.segments.join('/'), path.root)) {",
        'if (false) {',
      ),
    ],
    file: 'file-writer',
    case: 'write of protected names',
    denial: 'a hook of git',
  },
  {
    name: 'expected hash',
    edits: [
      edit(
        'paths/change-file.ts',
        'if (expectHash !== undefined && before?.hash !== expectHash) {',
        'if (false) {',
      ),
    ],
    file: 'file-writer',
    case: 'write over what changed, what is not a file, and too much',
    denial: 'a file that is not what was read',
  },
  {
    name: 'memory maximum',
    edits: unboundedMemory,
    file: 'memory-grower',
    case: 'memory growth',
    denial: 'one page above',
  },
  {
    name: 'memory of a process',
    edits: [
      edit(processFile, 'this.#watch(plugin);\n    this.#send(plugin);', 'this.#send(plugin);'),
    ],
    file: 'engine-filler',
    case: 'memory of the engine itself',
    denial: 'a function that takes a gigabyte',
  },
  {
    name: 'memory of the transpiler',
    edits: [edit('host/install/transpile/run-child.ts', 'isTooLarge = true;', 'return;')],
    file: 'engine-filler',
    case: 'types that double',
    denial: 'glue for a hundred thousand parts',
  },
  {
    name: 'protected names',
    edits: [edit('contracts/content-gate.ts', '      !isProtected(path, root) &&\n', '')],
    file: 'secret-reader',
    case: 'protected names',
    denial: 'a key in the workspace',
  },
  {
    name: 'CUERVO_HOME withheld',
    edits: [
      edit(
        'host/process/guest-imports.ts',
        'const gate = createContentGate(options.protectedPaths);',
        'const gate = createContentGate({});',
      ),
    ],
    file: 'secret-reader',
    case: 'CUERVO_HOME inside the workspace',
    denial: 'grants, lock',
  },
  {
    name: 'digest check',
    edits: [
      edit(
        'host/install/plugin-store.ts',
        'if (bytes !== undefined && found === wanted) {',
        'if (bytes !== undefined) {',
      ),
    ],
    file: 'changed-digest',
    case: 'digest changed on disk',
    denial: 'glue with one more line',
  },
  {
    name: 'levels of JSON',
    edits: [
      {
        file: 'sdk/guest/prelude.ts',
        from: 'JSON.parse = shallowJson(JSON.parse);',
        to: 'void shallowJson;',
      },
    ],
    file: 'hostile-repository',
    case: 'files that are nested deep',
    denial: 'they are refused as such',
    plugins: ['file', 'shell'],
  },
  {
    name: 'frame check',
    edits: [
      edit(
        'host/run/parse-frame.ts',
        'const parsed = v.safeParse(schema, value, { abortEarly: true });',
        'const parsed = { success: true, output: value, issues: [] };',
      ),
    ],
    file: 'frames',
    case: 'frames of a wrong shape',
    denial: 'fields that are missing',
  },
  {
    name: 'first wrong entry of a lock',
    edits: [
      edit(
        'packages/install/parse-project-lock.ts',
        'parseLockJson(text, path), { abortEarly: true }',
        'parseLockJson(text, path)',
      ),
    ],
    file: 'hostile-lock',
    case: 'lock of plugins that somebody else wrote',
    denial: 'one of a project with millions',
  },
  {
    name: 'first wrong item of a frame',
    edits: [edit('host/run/parse-frame.ts', 'value, { abortEarly: true }', 'value')],
    file: 'frames',
    case: 'frames that take the kernel long to read',
    denial: 'millions of wrong items',
  },
  {
    name: 'depth of a frame',
    edits: [edit('host/run/parse-frame.ts', 'isTooDeep(text)', 'false')],
    file: 'frames',
    case: 'frames that take the kernel long to read',
    denial: 'millions of wrong items',
  },
  {
    name: 'answers that wait for a process',
    edits: [
      edit(
        processFile,
        'encodeReply(reply)) > maxUnreadBytes',
        'encodeReply(reply)) > Number.MAX_VALUE',
      ),
    ],
    file: 'frames',
    case: 'answers that a process does not read',
    denial: 'the kernel keeps a few',
  },
  {
    name: 'integers in frames',
    edits: [
      edit(
        'host/run/parse-frame.ts',
        'v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxBytes)))',
        'v.optional(v.number())',
      ),
    ],
    file: 'frames',
    case: 'frames of a wrong shape',
    denial: 'numbers and texts',
  },
  {
    name: 'calls that a process may tell of',
    edits: [
      edit('host/run/parse-frame.ts', 'call: v.picklist(reportedCalls),', 'call: v.string(),'),
    ],
    file: 'frames',
    case: 'host calls of the kernel, told by a process',
    denial: 'what the kernel serves',
  },
  {
    name: 'end of a process that goes on',
    edits: [
      edit(
        'host/run/serve-request.ts',
        'if (goneOn > maxGoneOn) throw tooMany(gate.maxHostCalls);',
        '',
      ),
    ],
    file: 'flooder',
    case: 'refused calls without an end',
    denial: 'what is not granted',
  },
  {
    name: 'sum of refusals',
    edits: [
      edit('host/run/serve-request.ts', 'if (seen.times < ownRows) write(call);', 'write(call);'),
    ],
    file: 'flooder',
    case: 'refused calls without an end',
    denial: 'what is above the effect',
  },
  {
    name: 'journal at once',
    edits: [
      edit('host/plugin-host.ts', 'record?.(hostCall);', 'setImmediate(() => record?.(hostCall));'),
    ],
    file: 'flooder',
    case: 'journal of a call that is under way',
    denial: 'what the kernel served',
  },
  {
    name: 'words of an installed plugin',
    edits: [
      edit(
        'ask/collect-evidence.ts',
        'options.isBuiltin(plugin) ? undefined : plugin;',
        'undefined as string | undefined;',
      ),
    ],
    file: 'line-forger',
    case: 'lines of a file that a plugin makes up',
    denial: 'they are not evidence',
    plugins: ['search'],
  },
  {
    name: 'first rows of a result',
    edits: [edit('ask/collect-evidence.ts', 'if (rows.length === maxRows) return rows;', '')],
    file: 'line-forger',
    case: 'rows without an end',
    denial: 'of a result',
    plugins: ['search'],
  },
  {
    name: 'depth of a result',
    edits: [edit('lib/text/parse-json.ts', '&& depthOf(json) > maxDepth', '&& false')],
    file: 'line-forger',
    case: 'result that is read without an end',
    denial: 'nested deeper',
    plugins: ['search'],
  },
  {
    name: 'looks at the schema of a result',
    edits: [edit('lib/text/value-text.ts', ' || work.left <= 0) return', ') return')],
    file: 'line-forger',
    case: 'result that is read without an end',
    denial: 'its schema is looked at',
    plugins: ['search'],
  },
  {
    name: 'terms of each call',
    edits: [
      edit(
        processFile,
        'last?.effect === effect && last.denied === denied && last.timeoutMs === timeoutMs;',
        'last !== undefined;',
      ),
    ],
    file: 'call-terms',
    case: 'terms of another call',
    denial: 'each call has its own',
  },
  {
    name: 'terms that were sent',
    edits: [
      edit(processFile, 'if (!isTold) this.#lastTerms = terms;', ''),
      edit(
        processFile,
        'const terms = { effect, denied, timeoutMs };',
        'const terms = (this.#lastTerms = { effect, denied, timeoutMs });',
      ),
    ],
    file: 'call-terms',
    case: 'terms of another call',
    denial: 'those of one that no frame held',
  },
  {
    name: 'frame order',
    edits: [edit(processFile, 'if (received.message.id !== waiter.id) {', 'if (false) {')],
    file: 'frames',
    case: 'frames in a wrong order',
    denial: 'before ready',
  },
  {
    name: 'limits in the kernel',
    edits: [budget],
    file: 'frames',
    case: 'frames above the limits of a call',
    denial: 'a result',
  },
  {
    name: 'result limit',
    edits: [
      budget,
      edit('host/process/main.ts', 'if (bytes <= limit)', 'if (true)'),
      edit('host/process/write-frames.ts', 'if (total > maxBytes) return;', ''),
    ],
    file: 'flooder',
    case: 'result flood',
    denial: 'two bytes more',
  },
  {
    name: 'effect check',
    edits: [edit('host/process/guest-imports.ts', ' && effectAllows(scope.effect, call);', ';')],
    file: 'pure-liar',
    case: 'tool above its declared effect',
    denial: 'a pure tool that reads',
  },
  {
    name: 'grant check',
    edits: [
      edit(
        'policy/decide.ts',
        'if (held.some((grant) => denialOf(grant, config.denied) === undefined)) {',
        'if (held !== undefined) {',
      ),
    ],
    file: 'clock-watcher',
    case: 'clock without grant',
    denial: 'the time ends',
  },
  {
    name: 'roots check',
    edits: [
      edit(
        'paths/parse-path.ts',
        'const rootFd = roots.get(root);',
        'const rootFd = roots.get(root) ?? [...roots.values()][0];',
      ),
    ],
    file: 'crooked-paths',
    case: 'forged root',
    denial: 'a root that was not granted',
  },
  {
    name: 'names of exports',
    edits: [edit('protocol/call-names.ts', "name.includes(':') ? name :", 'true ? name :')],
    file: 'odd-exports',
    case: 'unexpected exports',
    denial: 'names that mean something',
  },
  {
    name: 'manifest against imports',
    edits: [
      edit(
        'host/install/component/judge-component.ts',
        '...judgeManifest(shape, manifest, own, reachable),',
        '',
      ),
    ],
    file: 'lying-manifest',
    case: 'manifest that lies',
    denial: 'it asks for less',
  },
  {
    name: 'deadline',
    edits: [
      edit(
        'lib/signals.ts',
        'setTimeout(own.onEnd, Math.min(maxTimerMs, Math.max(0, own.leftMs)))',
        'setTimeout(own.onEnd, 2 ** 30)',
      ),
    ],
    file: 'endless-loop',
    case: 'endless loop',
    denial: 'it ends at its deadline',
  },
  {
    name: 'program grant',
    edits: [
      edit(
        'host/interfaces/exec.ts',
        'const authority = await ports.authorize(',
        'const authority = { args: command.args, readOnly: false, origins: [] }; await Promise.resolve(',
      ),
    ],
    file: 'program-runner',
    case: 'program that was not granted',
    denial: 'the grant of one program',
  },
  {
    name: 'vector and no line',
    edits: [edit('programs/exec/launch-scripts.ts', '; exec "$@"`;', '; eval "$*"`;')],
    file: 'program-runner',
    case: 'arguments that a shell would obey',
    denial: 'none of them',
  },
  {
    name: 'program by name',
    edits: [
      edit('programs/exec/find-program.ts', 'if (!programName.test(name)) {', 'if (false) {'),
    ],
    file: 'program-runner',
    case: 'program by a path',
    denial: 'a path is not a name',
  },
  {
    name: 'readers of the system',
    edits: [
      edit(
        'programs/lookup/look-up-program.ts',
        'if (!isProgramName(name) || search.isReader(name))',
        'if (!isProgramName(name))',
      ),
    ],
    file: 'own-programs',
    case: 'program of the workspace by a name of the system',
    denial: 'a reader is that of the system',
  },
  {
    name: 'programs that stand in',
    edits: [edit('kernel/consent/authorize.ts', ' && !request.own.standsIn ?', ' ?')],
    file: 'own-programs',
    case: 'program of the workspace by a name of the system',
    denial: 'the grant of another one',
  },
  {
    name: 'thing in the place of .git',
    edits: [
      edit(
        'programs/git/open-git-run.ts',
        'function requireFolder(path: string, shown: string): void {',
        'function requireFolder(path: string, shown: string): void {\n  if (shown !== "") return;',
      ),
    ],
    file: 'hostile-repository',
    case: 'thing in the place of .git that is no repository',
    denial: 'a pipe, a device',
    needs: bubblewrap,
    plugins: ['git', 'shell'],
  },
  {
    name: 'digest before a start',
    edits: [
      edit(
        'programs/exec/plan-launch.ts',
        '  requireSame(plan.program);\n',
        '  void requireSame;\n',
      ),
    ],
    file: 'swapped-mounts',
    case: 'program of the workspace that is replaced before it starts',
    denial: 'another file',
    needs: bubblewrap,
  },
  {
    name: 'links beside what is published',
    edits: [
      edit(
        'packages/publish/publish-plugin.ts',
        'if (basename(real) === basename(path)) return;',
        'if (real !== "") return;',
      ),
    ],
    file: 'foreign-cases',
    case: 'page of a plugin that is a link to another file',
    denial: 'nothing is published',
  },
  {
    name: 'memory of a sentence model',
    edits: [
      edit(
        'models/onnx/open-onnx-process.ts',
        'reads, maxMemoryBytes };',
        'reads };\n  void maxMemoryBytes;',
      ),
    ],
    file: 'hostile-models',
    case: 'graph of a model that fills the memory',
    denial: 'a file of some hundred bytes',
  },
  {
    name: 'size of a .git that is a file',
    edits: [
      edit('programs/snapshot/git-history.ts', 'if (found.size > maxPointerBytes)', 'if (false)'),
    ],
    file: 'hostile-repository',
    case: 'file in the place of .git that has no end',
    denial: 'a program runs all the same',
    needs: bubblewrap,
    plugins: ['git', 'shell'],
  },
  {
    name: 'size of a list of versions',
    edits: [
      edit(
        'programs/lookup/wanted-versions.ts',
        'readTextIfPresent(path, maxBytes)',
        'readTextIfPresent(path)',
      ),
    ],
    file: 'own-programs',
    case: 'list of versions that a project does not end',
    denial: 'it says nothing',
    needs: bubblewrap,
  },
  {
    name: 'folders of PATH',
    edits: [edit('programs/lookup/program-folders.ts', 'exposedPart(entry)?.why', 'undefined')],
    file: 'own-programs',
    case: 'folder of PATH that others may write',
    denial: 'cuervo looks for no program',
  },
  {
    name: 'links out of a workspace',
    edits: [
      edit('programs/lookup/program-folders.ts', 'if (!isBelow(folder, top)) {', 'if (false) {'),
      edit(
        'programs/lookup/look-up-program.ts',
        "if (from === 'workspace' && !isKnown) {",
        'if (false) {',
      ),
    ],
    file: 'own-programs',
    case: 'virtual environment that leads out',
    denial: 'a folder that is a link',
  },
  {
    name: 'Python behind an environment',
    edits: [
      edit(
        'programs/lookup/program-folders.ts',
        'if (hasPython(dirname(base)) && exposed === undefined) return installReads(base) ?? [];',
        'if (exposed === undefined) return [base];',
      ),
    ],
    file: 'own-programs',
    case: 'virtual environment that leads out',
    denial: 'what it calls its Python',
  },
  {
    name: 'home around a toolchain',
    edits: [
      edit(
        'programs/lookup/program-folders.ts',
        "'include', 'share'],",
        "'include', 'share', 'etc'],",
      ),
    ],
    file: 'own-programs',
    case: 'home around a program of the user',
    denial: 'nothing is there',
  },
  {
    name: 'configuration in a cache',
    edits: [edit('programs/exec/plan-launch.ts', "['registry', 'git']", "['', 'registry', 'git']")],
    file: 'own-programs',
    case: 'configuration that a program leaves in a cache',
    denial: 'it is gone',
  },
  {
    name: 'folder of a program',
    edits: [
      edit(
        'programs/exec/granted-target.ts',
        "if (!isProtected(each.join('/'), path.root)) continue;",
        'continue;',
      ),
    ],
    file: 'program-runner',
    case: 'working directory outside',
    denial: 'neither by a path',
  },
  {
    name: 'namespace of processes',
    edits: [
      edit('programs/exec/bwrap-arguments.ts', "'--die-with-parent', ", ''),
      edit('programs/exec/run-launch.ts', 'if (init !== undefined) tryKill(init);', ''),
      edit('programs/exec/run-launch.ts', "orphanReaper.watch(child, 'group');", ''),
    ],
    file: 'program-runner',
    case: 'process tree that outlives its parent',
    denial: 'all of it ends when the kernel',
  },
  {
    name: 'file size',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
    edits: [edit('programs/exec/launch-scripts.ts', '`ulimit -f ${blocks}`,', '')],
    file: 'program-runner',
    case: 'program that fills the disk',
    denial: 'a file ends',
  },
  {
    name: 'memory of a program',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
    edits: [edit('programs/exec/launch-scripts.ts', '`ulimit -d ${kibibytes}`,', '')],
    file: 'program-runner',
    case: 'memory of a program',
    denial: 'one process',
  },
  {
    name: 'nothing done in a rehearsal',
    edits: [
      edit(
        'kernel/plugins/open-host.ts',
        "if (callerOf(...args).rehearsal !== undefined) throw new ServiceError('denied', notDone);",
        '',
      ),
    ],
    file: 'rehearsal',
    case: 'effects while a plan is looked at',
    denial: 'what is granted',
    needs: bubblewrap,
  },
  {
    name: 'memory of a tree',
    edits: [
      edit('programs/exec/watch-tree.ts', 'return kilobytes * 1024 +', 'return 0 * kilobytes +'),
    ],
    file: 'program-runner',
    case: 'memory of a program',
    denial: 'several share it',
  },
  {
    name: 'shared memory of a tree',
    edits: [
      edit(
        'programs/exec/watch-tree.ts',
        'own + grown > limits.memoryBytes &&',
        'grown > Infinity &&',
      ),
    ],
    file: 'held-memory',
    case: 'memory that no process has for itself',
    denial: 'twice the limit',
    needs: bubblewrap,
  },
  {
    name: 'buffers of sockets',
    edits: [
      edit(
        'programs/exec/watch-tree.ts',
        'return files + waiting + asked;',
        'return 0 * (files + waiting + asked);',
      ),
    ],
    file: 'held-memory',
    case: 'memory that no process has for itself',
    denial: 'twice the limit',
    needs: bubblewrap,
  },
  {
    name: 'size of folders in memory',
    edits: [
      edit(
        'programs/exec/bwrap-arguments.ts',
        '...scratch(cachePlace, features),',
        "'--tmpfs', cachePlace,",
      ),
    ],
    file: 'held-memory',
    case: 'memory that no process has for itself',
    denial: 'a folder in memory',
    needs: bubblewrap,
  },
  {
    name: 'folder of devices',
    edits: [edit('programs/exec/bwrap-arguments.ts', ", '--remount-ro', '/dev'],", '],')],
    file: 'held-memory',
    case: 'memory that no process has for itself',
    denial: 'a folder in memory',
    needs: bubblewrap,
  },
  {
    name: 'modes of files',
    edits: [
      edit('programs/exec/program-filter.ts', '[jumpSet, 0, 1, powers],', '[jumpSet, 0, 1, 0],'),
    ],
    file: 'lasting-powers',
    case: 'set-user-ID that a program leaves',
    denial: 'no call and no program',
    needs: bubblewrap,
  },
  {
    name: 'modes after a program',
    edits: [
      edit(
        'programs/exec/program-filter.ts',
        'chmodSync(path, mode & 0o1777);',
        'chmodSync(path, mode);',
      ),
    ],
    file: 'lasting-powers',
    case: 'set-user-ID that a program leaves',
    denial: 'without the sandbox',
    needs: bubblewrap,
  },
  {
    name: 'set-user-ID for a neighbour',
    edits: [
      edit('programs/exec/program-filter.ts', '[jumpSet, 0, 1, powers],', '[jumpSet, 0, 1, 0],'),
      edit(
        'programs/exec/program-filter.ts',
        'chmodSync(path, mode & 0o1777);',
        'chmodSync(path, mode);',
      ),
    ],
    file: 'lasting-powers',
    case: 'program of the user that a neighbour starts',
    denial: 'it runs as the neighbour',
    needs: twoUsers,
    plugins: ['shell'],
  },
  {
    name: 'group of a folder',
    edits: [
      edit('programs/exec/program-filter.ts', '[jumpSet, 0, 1, powers],', '[jumpSet, 0, 1, 0],'),
    ],
    file: 'lasting-powers',
    case: 'group that a folder hands on',
    denial: 'a file in it',
    needs: bubblewrap,
  },
  {
    name: 'attributes of files',
    edits: [
      edit(
        'programs/exec/program-filter.ts',
        'when(call, [give, 0, 0, results.notSupported]),',
        'when(call, [give, 0, 0, results.allow]),',
      ),
    ],
    file: 'lasting-powers',
    case: 'file that is more outside than in the sandbox',
    denial: 'no capability',
    needs: bubblewrap,
  },
  {
    name: 'output of a program',
    edits: [
      edit(
        'programs/exec/run-launch.ts',
        'createOutputCollector(run.maxOutputBytes,',
        'createOutputCollector(run.maxOutputBytes * 2,',
      ),
    ],
    file: 'program-runner',
    case: 'endless output',
    denial: 'no more than the limit',
  },
  {
    name: 'environment of a program',
    edits: [
      edit('programs/exec/bwrap-arguments.ts', ", '--clearenv'],", '],'),
      edit(
        'programs/exec/plan-launch.ts',
        "    env: {},\n    cwd: '/',\n    bwrapOptions: [",
        "    env: process.env as Record<string, string>,\n    cwd: '/',\n    bwrapOptions: [",
      ),
    ],
    file: 'program-runner',
    case: 'environment of a program',
    denial: 'nothing of the user',
  },
  {
    name: 'masks',
    edits: [
      edit(
        'programs/exec/bwrap-arguments.ts',
        '...repositories, ...fixed, ...files, ...folders];',
        '...repositories, ...fixed];',
      ),
    ],
    file: 'program-runner',
    case: 'protected file by a program',
    denial: 'it is not read',
  },
  {
    name: 'repositories read-only',
    edits: [
      edit(
        'programs/exec/bwrap-arguments.ts',
        'mountItself(plan, plan.writesRepositories && !readOnly, folder, place, path),',
        'mountItself(plan, true, folder, place, path),',
      ),
    ],
    file: 'program-runner',
    case: 'protected file by a program',
    denial: 'it is neither written',
  },
  {
    name: 'files outside of a plugin',
    edits: [
      {
        file: 'sdk/build/bundle-plugin.ts',
        from: ' ?? outsideProject(result.metafile, options)',
        to: '',
      },
    ],
    file: 'foreign-cases',
    case: 'plugin that takes a file of who builds it',
    denial: 'none is built with it',
  },
  {
    name: 'link where a file is begun',
    edits: [
      { file: 'src/lib/files/write-file-whole.ts', from: "flush, flag: 'wx' }", to: 'flush }' },
      {
        file: 'src/lib/files/write-file-whole.ts',
        from: '    rmSync(partial, { force: true });\n    withPath',
        to: '    withPath',
      },
    ],
    file: 'planted-links',
    case: 'link of the name under which a file is begun',
    denial: 'a file that is replaced',
  },
  {
    name: 'link where a plugin is begun',
    edits: [
      { file: 'sdk/build/write-output.ts', from: ", { flag: 'wx' }", to: '' },
      {
        file: 'sdk/build/write-output.ts',
        from: '      rmSync(partial, { force: true });\n      writeFileSync',
        to: '      writeFileSync',
      },
    ],
    file: 'planted-links',
    case: 'link of the name under which a file is begun',
    denial: 'nor does a plugin that is built',
  },
  {
    name: 'link where a lock is begun',
    edits: [
      {
        file: 'src/lib/files/lock-file.ts',
        from: "mode: 0o600, flag: 'wx' }",
        to: 'mode: 0o600 }',
      },
      {
        file: 'src/lib/files/lock-file.ts',
        from: '    rmSync(own, { force: true });\n    withPath',
        to: '    withPath',
      },
    ],
    file: 'planted-links',
    case: 'link of the name under which a file is begun',
    denial: 'nor does a lock',
  },
  {
    name: 'link where a plugin is written',
    edits: [{ file: 'sdk/build/write-output.ts', from: '?.isSymbolicLink() !== true', to: '' }],
    file: 'planted-links',
    case: 'link of the name of a folder beside a plugin',
    denial: 'dist is not followed',
  },
  {
    name: 'link where the SDK is linked',
    edits: [
      { file: 'sdk/author/link-sdk.ts', from: 'if (parts.some(', to: 'if (false && parts.some(' },
    ],
    file: 'planted-links',
    case: 'link of the name of a folder beside a plugin',
    denial: 'node_modules gets no link',
  },
  {
    name: 'pipes beside a plugin',
    edits: [edit('cli/author/build-any.ts', '  requireFiles(folder);\n', '  void requireFiles;\n')],
    file: 'foreign-cases',
    case: 'pipe or device in the folder of a plugin',
    denial: 'it is named',
  },
  {
    name: 'files outside of cases',
    edits: [
      {
        file: 'sdk/author/find-cases.ts',
        from: 'if (outside !== undefined) {',
        to: "if (outside === '') {",
      },
    ],
    file: 'foreign-cases',
    case: 'plugin that takes a file of who builds it',
    denial: 'nor do its cases',
  },
  {
    name: 'descriptors of what is mounted',
    edits: [
      edit(
        'programs/exec/bwrap-arguments.ts',
        'return features.bindFd\n',
        'return features.size === undefined\n',
      ),
    ],
    file: 'swapped-mounts',
    case: 'name swapped while a program starts',
    denial: 'nor does a root that becomes a link',
  },
  {
    name: 'planted names',
    edits: [
      edit(
        'programs/exec/run-program.ts',
        'await withholdAll(run, before, survey);',
        'await Promise.resolve();',
      ),
    ],
    file: 'program-runner',
    case: 'program that leaves something to obey',
    denial: 'a hook',
  },
  {
    name: 'JSON on a terminal',
    edits: [
      edit('cli/output.ts', 'escapeJson(JSON.stringify(value))', 'JSON.stringify(value)'),
      edit('cli/output.ts', 'import { escapeJson, ', 'import { '),
    ],
    file: 'program-runner',
    case: 'terminal escapes of a program',
    denial: 'nor as JSON',
  },
  {
    name: 'time of a folder',
    edits: [
      edit(
        'programs/exec/survey-root.ts',
        'const { ctimeMs, dev, ino } = stats;',
        'const { mtimeMs: ctimeMs, dev, ino } = stats;',
      ),
    ],
    file: 'program-runner',
    case: 'program that leaves something to obey',
    denial: 'not by setting back',
  },
  {
    name: 'repositories by shape',
    edits: [
      edit(
        'programs/exec/find-program.ts',
        'const ofGit = isGitDirectory((name) => names.has(name.toLowerCase()));',
        "const ofGit = isGitDirectory((name) => names.has(name.toLowerCase())) && at === '\\0';",
      ),
    ],
    file: 'program-runner',
    case: 'program that leaves something to obey',
    denial: 'so does what git obeys',
  },
  {
    name: 'files of the host',
    edits: [
      edit(
        'programs/exec/bwrap-arguments.ts',
        '    ...hide(plan),',
        "    ...plan.roots.map(({ folder }) => folder.replace(/work$/, 'outside')).flatMap((beside) => ['--bind', beside, beside]),",
      ),
    ],
    file: 'program-runner',
    case: 'write outside by a program',
    denial: 'outside of the roots',
  },
  {
    name: 'network of a program',
    edits: [
      edit(
        'programs/exec/bwrap-arguments.ts',
        "['--unshare-all', ",
        "['--unshare-all', '--share-net', ",
      ),
    ],
    file: 'program-runner',
    case: 'network from a program',
    denial: 'nobody is reached',
  },
  {
    name: 'built-in names',
    edits: [
      edit('kernel/plugins/install-plugin.ts', 'builtins.list().map(({ name }) => name),', '[],'),
    ],
    file: 'name-thief',
    case: 'name of a built-in plugin',
    denial: 'neither the manifest',
    plugins: ['file', 'git', 'search', 'shell'],
  },
  {
    name: 'length of a description',
    edits: [
      edit(
        'host/install/component/parse-describe.ts',
        'if (description.length > maxDescriptionLength) {',
        'if (description.length < 0) {',
      ),
    ],
    file: 'big-describer',
    case: 'description of a hundred megabytes',
    denial: 'it is refused',
  },
  {
    name: 'words on a terminal',
    edits: [
      edit(
        'lib/text/escape.ts',
        "return text.replaceAll('\\r\\n', '\\n').replace(unsafe, visible);",
        'return text;',
      ),
    ],
    file: 'painter',
    case: 'words of a tool that a terminal would obey',
    denial: 'as log, progress',
  },
  {
    name: 'system calls of a program',
    edits: [
      edit(
        'programs/exec/plan-launch.ts',
        'const filter = programFilter(process.arch);',
        'const filter = programFilter("");',
      ),
    ],
    file: 'program-calls',
    case: 'system calls of a program',
    denial: 'what leads out',
    needs: bubblewrap,
  },
  {
    name: 'sockets in a root',
    edits: [
      edit(
        'programs/exec/find-program.ts',
        'if (!isFolder && !entry.isFile() && !entry.isSymbolicLink()) {',
        'if (path === "") {',
      ),
    ],
    file: 'program-calls',
    case: 'socket of somebody outside',
    denial: 'one that lies in the workspace',
    needs: bubblewrap,
  },
  {
    name: 'origins of a program',
    edits: [
      edit(
        'programs/exec/granted-target.ts',
        'find(({ origin }) => origins.includes(origin));',
        'find(({ port }) => port !== undefined);',
      ),
      edit(
        'programs/exec/granted-target.ts',
        'if (!origins.includes(url.origin)) throw',
        'if (url.port === undefined) throw',
      ),
    ],
    file: 'program-network',
    case: 'origin that a program was not granted',
    denial: 'with one, no other port',
    needs: networkPrograms,
  },
  {
    name: 'server name of a program',
    edits: [
      edit(
        'programs/exec/proxy-traffic.ts',
        'if (isNameOf(read.name, url)) resolve',
        'if (url !== undefined) resolve',
      ),
    ],
    file: 'program-network',
    case: 'server behind a granted one',
    denial: 'the greeting of TLS',
    needs: networkPrograms,
  },
  {
    name: 'host of a plain request',
    edits: [
      edit(
        'programs/exec/proxy-traffic.ts',
        "...['host', url.host],",
        "...['host', asked.headers.host ?? ''],",
      ),
    ],
    file: 'program-network',
    case: 'server behind a granted one',
    denial: 'a plain request',
    needs: networkPrograms,
  },
  {
    name: 'addresses of a program',
    edits: [
      edit(
        'programs/exec/open-program-proxy.ts',
        `      const addresses = await resolveAddresses(url, resolve);
      ended.signal`,
        `      const addresses = url.hostname === '127.0.0.1' ? await resolveAddresses(url, resolve) : (await resolve(url.hostname)).map((address) => ({ address, family: 4 as const }));
      ended.signal`,
      ),
    ],
    file: 'program-network',
    case: 'name that leads a program inside',
    denial: 'a name with a private address',
    needs: networkPrograms,
  },
  {
    name: 'CUERVO_HOME for programs',
    edits: [
      edit(
        'programs/exec/run-program.ts',
        'const gate = createContentGate(ports.protectedPaths);',
        'const gate = createContentGate({});',
      ),
    ],
    file: 'program-runner',
    case: 'CUERVO_HOME by a program',
    denial: 'it is empty',
  },
  {
    name: 'fresh instance',
    edits: [
      edit('host/process/main.ts', '\n    prepared = prepare(instantiate, { isTried: true });', ''),
    ],
    file: 'state-keeper',
    case: 'state left for the next call',
    denial: 'five calls',
  },
  {
    name: 'origin of a request',
    edits: [
      edit('http/send-request.ts', 'await ports.authorize(request.method, request.url);', ''),
    ],
    file: 'http-caller',
    case: 'network without grant',
    denial: 'a grant of one origin',
  },
  {
    name: 'origin of a redirect',
    edits: [
      edit('http/send-request.ts', 'redirectTo(location, hop.url)', 'new URL(location, hop.url)'),
      edit('http/send-request.ts', 'await ports.authorize(next.method, next.url);', ''),
      edit('http/send-request.ts', 'if (next.url.origin !== origin) return answer;', ''),
    ],
    file: 'http-caller',
    case: 'redirect to another origin',
    denial: 'the other origin is not asked',
  },
  {
    name: 'private addresses',
    edits: [
      edit('http/resolve-addresses.ts', 'if (!found.every(isPublicAddress)) {', 'if (false) {'),
    ],
    file: 'http-caller',
    case: 'name that leads inside',
    denial: 'a name with a private address',
  },
  {
    name: 'pinned address',
    // What a client does that looks the name up itself when it connects.
    edits: [
      edit(
        'http/send-request.ts',
        'const addresses = await unlessAborted(resolveAddresses(url, ports.resolve), ports.signal);',
        `const checked = await unlessAborted(resolveAddresses(url, ports.resolve), ports.signal);
        const again = async () => (await ports.resolve(url.hostname)).map((address) => ({ address, family: 4 as const }));
        const addresses = url.hostname === '127.0.0.1' ? checked : await again();`,
      ),
    ],
    file: 'http-caller',
    case: 'name that leads inside',
    denial: 'a name that leads elsewhere',
  },
  {
    name: 'connection of its own',
    edits: [edit('http/send-once.ts', 'agent: new Agent({ keepAlive: false }),', '')],
    file: 'http-caller',
    case: 'proxy of the environment',
    denial: 'it is not asked',
  },
  {
    name: 'certificates',
    edits: [edit('http/send-once.ts', 'rejectUnauthorized: true,', '')],
    file: 'http-caller',
    case: 'certificate that nobody vouches for',
    denial: 'a server with another name',
  },
  {
    name: 'origins of a secret',
    edits: [
      edit(
        'http/insert-secrets.ts',
        'if (secret.origins.includes(origin)) return secret;',
        'return secret;',
      ),
    ],
    file: 'http-caller',
    case: 'secret',
    denial: 'it goes to no other origin',
  },
  {
    name: 'attributes of withheld names',
    edits: [
      edit(
        'programs/exec/run-program.ts',
        'attributes: withPerson(withhold.attributes(place), person?.attributes),',
        "attributes: withPerson('', person?.attributes),",
      ),
    ],
    file: 'committed-secret',
    case: 'withheld file in a history',
    denial: 'no patch, search or stash',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'contents by their hash',
    edits: [edit('programs/exec/run-program.ts', 'if (place !== undefined) {', 'if (false) {')],
    file: 'committed-secret',
    case: 'withheld file in a history',
    denial: 'its content is not had by its hash',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'operands that git resolves',
    edits: [
      edit(
        'programs/git/find-withheld.ts',
        "if (kind === 'blob' && !isKnown) {",
        "if (kind === 'blob' && !isKnown && lists === undefined) {",
      ),
    ],
    file: 'content-gate',
    case: 'content by a name that is not its path',
    denial: 'git resolves a name',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'references by an option',
    edits: [
      edit('programs/git/find-withheld.ts', 'if (many !== undefined) {', 'if (many === null) {'),
    ],
    file: 'content-gate',
    case: 'content by a name that is not its path',
    denial: 'an option chooses references',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'folders without their commit',
    edits: [
      edit(
        'programs/git/find-withheld.ts',
        "if (kind === 'tree' && !lists && !isWhole) {",
        "if (kind === 'tree' && lists && !lists && isWhole) {",
      ),
    ],
    file: 'content-gate',
    case: 'content by a name that is not its path',
    denial: 'a folder without its commit',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'configured names in a history',
    edits: [
      edit(
        'programs/git/find-withheld.ts',
        'return !gate.shows({ root, path: resolved }, { roots: [root] });',
        'return gate.shows({ root, path: resolved }, { roots: [] });',
      ),
    ],
    file: 'content-gate',
    case: 'names that a configuration protects, in a history',
    denial: 'git shows them by their paths',
    plugins: ['shell', 'git', 'file'],
    needs: bubblewrap,
  },
  {
    name: 'attributes of a repository below',
    edits: [
      edit(
        'programs/git/leave-out-withheld.ts',
        'place === undefined || place.top.length === 0',
        'place === undefined || place.top.length >= 0',
      ),
    ],
    file: 'content-gate',
    case: 'names that a configuration protects, in a history',
    denial: 'a difference shows them',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'searches that leave out',
    edits: [
      edit(
        'programs/git/leave-out-withheld.ts',
        '    ...pathspecs(),\n',
        '    ...pathspecs().slice(0, 0),\n',
      ),
    ],
    file: 'content-gate',
    case: 'searches of what a protected file holds',
    denial: 'a right guess',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'files alike to protected ones',
    edits: [
      edit(
        'programs/git/leave-out-withheld.ts',
        '(ofTree.has(subcommand) && before.some(isLikeness))',
        'false',
      ),
    ],
    file: 'content-gate',
    case: 'searches of what a protected file holds',
    denial: 'a file with a right guess',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'new names of protected files',
    edits: [
      edit(
        'programs/exec/run-program.ts',
        'exitCode === 0 ? args : withExactRenames(args)',
        'exitCode === 0 ? args : args',
      ),
    ],
    file: 'content-gate',
    case: 'searches of what a protected file holds',
    denial: 'it is taken for the same',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'lines in other files',
    edits: [
      edit(
        'programs/git/find-withheld.ts',
        'if (byPath.has(subcommand) && seeksElsewhere(',
        'if (subcommand === undefined && seeksElsewhere(',
      ),
    ],
    file: 'content-gate',
    case: 'searches of what a protected file holds',
    denial: 'lines of a file',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'difference inside of a submodule',
    edits: [
      edit('programs/git/find-withheld.ts', 'if (/^--su[a-z]*=diff$/.test(arg)) return true;', ''),
    ],
    file: 'git-beside',
    case: 'protected file by what git keeps beside it',
    denial: 'a difference looks into a submodule',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'files that a repository has run',
    edits: [
      edit(
        'contracts/content-gate.ts',
        'runnerOf(path) ?? otherwise?.(path, root)',
        'runnerOf(path)',
      ),
    ],
    file: 'consent',
    case: 'file that the configuration of a repository names',
    denial: 'no grant writes',
  },
  {
    name: 'names that cuervo gives',
    edits: [
      edit('contracts/protected-names.ts', 'String.raw`withheld(?:-\\d+)?`', "'rej'"),
      edit('contracts/protected-names.ts', "path.replace(renamed, '')", 'path'),
    ],
    file: 'git-beside',
    case: 'protected file by what git keeps beside it',
    denial: 'what git makes anew',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'stores of content: programs',
    edits: [
      edit(
        'programs/exec/bwrap-arguments.ts',
        'plan.writesRepositories ? new Set',
        'plan !== undefined ? new Set',
      ),
    ],
    file: 'content-gate',
    case: 'files in which git keeps content',
    denial: 'a program reads them',
    plugins: ['shell', 'file'],
    needs: bubblewrap,
  },
  {
    name: 'stores of content: plugins',
    edits: [
      edit(
        'contracts/content-gate.ts',
        ' &&\n      !isStoredContent(path)',
        ' &&\n      isStoredContent(path) !== undefined',
      ),
    ],
    file: 'content-gate',
    case: 'files in which git keeps content',
    denial: 'a plugin reads',
    plugins: ['shell', 'file'],
    needs: bubblewrap,
  },
  {
    name: 'values of options of git',
    edits: [
      edit(
        'programs/git/find-withheld.ts',
        'const values = takingObjects.has(subcommand) ? before.flatMap(optionValues) : [];',
        'const values = optionValues(String(takingObjects.size));',
      ),
    ],
    file: 'content-gate',
    case: 'content by a name that is not its path',
    denial: 'an option takes an object',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'orders of references',
    edits: [
      edit(
        'programs/git/find-withheld.ts',
        '|^(?:--so[a-z]*=)?-?(?:v(?:ersion)?:)?\\*?raw\\b/',
        '/',
      ),
    ],
    file: 'content-gate',
    case: 'content by a name that is not its path',
    denial: 'an order tells',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'git without stores',
    edits: [
      edit(
        'programs/git/harden-git.ts',
        'if (ofFiles.has(subcommand)) return true;',
        'if (ofFiles.has(subcommand)) return false;',
      ),
    ],
    file: 'content-gate',
    case: 'content by a name that is not its path',
    denial: 'a patch names',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'difference of folders without stores',
    edits: [
      edit('programs/git/harden-git.ts', '/^--no-ind/.test(arg) || leads(arg)', 'leads(arg)'),
    ],
    file: 'content-gate',
    case: 'files in which git keeps content',
    denial: 'a difference of two folders',
    plugins: ['shell', 'file'],
    needs: bubblewrap,
  },
  {
    name: 'stores as files',
    edits: [
      edit(
        'programs/git/leave-out-withheld.ts',
        'if (stored !== undefined) {',
        'if (stored === folder) {',
      ),
    ],
    file: 'content-gate',
    case: 'files in which git keeps content',
    denial: 'git reads one',
    plugins: ['shell', 'file'],
    needs: bubblewrap,
  },
  {
    name: 'whatever a .git holds',
    edits: [
      edit(
        'contracts/protected-names.ts',
        "...['hooks', 'worktrees',",
        "...['.*', 'hooks', 'worktrees',",
      ),
    ],
    file: 'content-gate',
    case: 'files in which git keeps content',
    denial: 'what else lies in a .git',
    plugins: ['shell', 'file', 'search'],
    needs: bubblewrap,
  },
  {
    name: 'folders that protect',
    edits: [edit('programs/exec/survey-root.ts', '    held.add(at);\n', '    held.delete(at);\n')],
    file: 'program-runner',
    case: 'protected file by a program',
    denial: 'a folder that protects',
    needs: bubblewrap,
  },
  {
    name: 'backups of protected files',
    edits: [
      edit(
        'contracts/protected-names.ts',
        "if (!mayBeLeft.test(path) && !(path.includes(' ') && mayBeCopied.test(path))) return [];",
        'if (mayBeLeft.test(path) || mayBeCopied.test(path) || path) return [];',
      ),
    ],
    file: 'secret-reader',
    case: 'protected names',
    denial: 'every other spelling',
  },
  {
    name: 'disguises in a result',
    edits: [
      edit(
        'guard/create-redactor.ts',
        'const found = joinFindings(echoes.find(text), scan(',
        'const found = joinFindings([], scan(',
      ),
    ],
    file: 'disguised-output',
    case: 'program that shows a key in disguise',
    denial: 'whatever the program',
    needs: bubblewrap,
    plugins: ['file', 'shell'],
  },
  {
    name: 'secrets of files',
    edits: [
      edit(
        'talk/read-reply.ts',
        'guard.know(await ports.heldSecrets([...new Set([...ports.tools.changedPaths(), ...named])]));',
        'void named;',
      ),
    ],
    file: 'disguised-output',
    case: 'program that shows a key in disguise',
    denial: 'nor a part of one',
    needs: bubblewrap,
    plugins: ['file', 'shell'],
  },
  {
    name: 'dumps of bytes',
    edits: [
      edit(
        'guard/create-echo-finder.ts',
        "in both orders': readDumps",
        "in both orders': () => []",
      ),
    ],
    file: 'disguised-output',
    case: 'program that shows a key in disguise',
    denial: 'whatever the program',
    needs: bubblewrap,
    plugins: ['file', 'shell'],
  },
  {
    name: 'strings of JSON',
    edits: [
      edit(
        'guard/mapped-text.ts',
        "text.includes('\\\\') ? unescaped(whole, inStrings) : []",
        'unescaped(whole, /(?!)/g)',
      ),
    ],
    file: 'disguised-output',
    case: 'program that shows a key in disguise',
    denial: 'whatever the program',
    needs: bubblewrap,
    plugins: ['file', 'shell'],
  },
  {
    name: 'slices of a key',
    edits: [
      edit('guard/secret-forms.ts', 'isKey ? slicesOf(value) : []', 'isKey ? [] : slicesOf(value)'),
    ],
    file: 'disguised-output',
    case: 'program that shows a key in disguise',
    denial: 'nor when a tool read',
    needs: bubblewrap,
    plugins: ['file', 'shell'],
  },
  {
    name: 'results together',
    edits: [
      edit(
        'guard/create-redactor.ts',
        'remote ? trail.completes(shown) : undefined',
        'remote ? undefined : trail.completes(shown)',
      ),
    ],
    file: 'disguised-output',
    case: 'program that shows a key in disguise',
    denial: 'nor in results',
    needs: bubblewrap,
    plugins: ['file', 'shell'],
  },
  {
    name: 'ends of results',
    edits: [edit('guard/create-redactor.ts', 'know(joined.filter(', 'void (joined.filter(')],
    file: 'disguised-output',
    case: 'program that shows a key in disguise',
    denial: 'nor is a key',
    needs: bubblewrap,
    plugins: ['file', 'shell'],
  },
  {
    name: 'gate of requests',
    edits: [edit('talk/read-reply.ts', 'guard.request(asked)', 'asked')],
    file: 'disguised-output',
    case: 'key on another way to a remote model',
    denial: 'instructions',
    needs: bubblewrap,
    plugins: ['file', 'shell'],
  },
  {
    name: 'secrets spelled out as a list',
    edits: [edit('guard/create-echo-finder.ts', '    listed,\n', '    () => [],\n')],
    file: 'word-forger',
    case: 'secret in disguise',
    denial: 'no program and no network',
    plugins: ['file', 'shell'],
  },
  {
    name: 'characters that nobody sees',
    edits: [
      edit(
        'guard/mapped-text.ts',
        'if (unseen.test(view.text)) next.push(...unseenOf(view));',
        'if (unseen.test(view.text)) unseenOf(view);',
      ),
    ],
    file: 'word-forger',
    case: 'secret in disguise',
    denial: 'no answer shows',
    plugins: ['file', 'shell'],
  },
  {
    name: 'addresses of other forms',
    edits: [edit('guard/find-leak.ts', '\n  ofAnyScheme,', '')],
    file: 'word-forger',
    case: 'address that carries data away',
    denial: 'whatever Markdown',
    plugins: ['file'],
  },
  {
    name: 'sealed secrets',
    edits: [
      edit(
        'secrets/secrets.ts',
        'sealed.sealed = seal(key, secret.value, aboutOf(sealed));',
        'sealed.sealed = secret.value;',
      ),
      edit(
        'secrets/secrets.ts',
        'unseal(key, sealed.sealed, aboutOf(sealed));',
        'sealed.sealed as string | undefined;',
      ),
    ],
    file: 'http-caller',
    case: 'secret',
    denial: 'no file of ours holds it',
  },
  {
    name: 'rules above grants',
    edits: [
      edit(
        'kernel/consent/authorize.ts',
        "if (verdict?.decision === 'deny')\n    return { decision: 'deny', error: deniedByRule(verdict, detail) };",
        '',
      ),
    ],
    file: 'program-runner',
    case: 'command that destroys a system',
    denial: 'a grant of its program',
  },
  {
    name: 'echo of a secret',
    edits: [edit('http/insert-secrets.ts', 'left = replaceAll(left, form, shown);', '')],
    file: 'http-caller',
    case: 'secret',
    denial: 'what a server sends back',
  },
  {
    name: 'headers of a request',
    edits: [
      edit(
        'http/check-request.ts',
        "if (withheld.has(name) || name.startsWith('proxy-') || name.startsWith('sec-')) {",
        'if (false) {',
      ),
    ],
    file: 'http-caller',
    case: 'request that is another one',
    denial: 'headers of the connection',
  },
  {
    name: 'unpacked size',
    edits: [edit('http/send-once.ts', 'of counted(decoded, maxBytes)', 'of decoded')],
    file: 'http-caller',
    case: 'answer without an end',
    denial: 'a small body that unpacks',
  },
  {
    name: 'wasi paths stay below',
    edits: [
      edit(
        'wasi/filesystem/reach-place.ts',
        'else if (below.pop() === undefined) throw leadsOutError(text);',
        'else below.pop();',
      ),
    ],
    file: 'wasi-program',
    case: 'wasi: paths that lead out',
    denial: 'a parent path',
    needs: cCompiler,
  },
  {
    name: 'wasi protected names',
    edits: [
      edit(
        'wasi/filesystem/reach-place.ts',
        'if (!withheld({ root: path.root, segments })) return;',
        'return;',
      ),
    ],
    file: 'wasi-program',
    case: 'wasi: protected names',
    denial: 'are not read',
    needs: cCompiler,
  },
  {
    name: 'wasi renamed directories',
    edits: [
      edit(
        'wasi/filesystem/change-at.ts',
        "if (!reach.isWithheld(place) && !isUnwritablePath(place.segments.join('/'))) return;",
        'return;',
      ),
    ],
    file: 'wasi-program',
    case: 'wasi: directory renamed with what it hides',
    denial: 'a protected name, a link and a repository',
    needs: cCompiler,
  },
  {
    name: 'wasi file limit',
    edits: [
      edit(
        'wasi/filesystem/pending-files.ts',
        'if (needed > wasiLimits.fileBytes) throw fileTooLarge(needed);',
        '',
      ),
    ],
    file: 'wasi-program',
    case: 'wasi: file above the limit',
    denial: 'who fails of it is told by the limit',
    needs: cCompiler,
  },
  {
    name: 'O_NOFOLLOW of wasi',
    edits: [
      edit('paths/open-name.ts', 'const noFollow = constants.O_NOFOLLOW;', 'const noFollow = 0;'),
    ],
    file: 'wasi-program',
    case: 'wasi: paths that lead out',
    denial: 'a link to a file',
    needs: cCompiler,
  },
  {
    name: 'wasi half-written files',
    edits: [
      edit('wasi/create-wasi-imports.ts', 'discard: () => end(false)', 'discard: () => end(true)'),
    ],
    file: 'wasi-program',
    case: 'wasi: a program that dies while it writes',
    denial: 'the old file stays',
    needs: cCompiler,
  },
  {
    name: 'wasi fixed clock',
    edits: [
      edit(
        'wasi/create-clocks.ts',
        "const isReal = (): boolean => ports.allows('clock', 'clock.now-ms');",
        'const isReal = (): boolean => true;',
      ),
    ],
    file: 'wasi-program',
    case: 'wasi: clock and random without a grant',
    denial: 'are the same in every call',
    needs: cCompiler,
  },
  {
    name: 'wasi output limit',
    edits: [
      edit('wasi/create-cli.ts', 'if (stdout.add(bytes)) return;', 'stdout.add(bytes); return;'),
    ],
    file: 'wasi-program',
    case: 'wasi: flood of standard output',
    denial: 'it is stopped at the limit',
    needs: cCompiler,
  },
  {
    name: 'wasi resources counted',
    edits: [edit('wasi/resource.ts', 'if (alive >= limit) throw', 'if (false) throw')],
    file: 'wasi-waiter',
    case: 'wasi: thousands of pollables',
    denial: 'kept',
  },
  {
    name: 'wasi random length',
    edits: [
      edit('wasi/create-clocks.ts', 'if (wanted > wasiLimits.randomBytes) {', 'if (false) {'),
    ],
    file: 'wasi-waiter',
    case: 'wasi: giant lengths',
    denial: 'random bytes that nobody',
  },
  {
    name: 'wasi sockets denied',
    edits: [
      edit(
        'wasi/create-clocks.ts',
        "throw new WasiFailure('access-denied');",
        'return {} as never;',
      ),
    ],
    file: 'wasi-waiter',
    case: 'wasi: sockets',
    denial: 'one is denied',
  },
  {
    name: 'wasi forged resources',
    edits: [
      edit(
        'wasi/resource.ts',
        'if (construct === undefined) throw',
        'if (construct === undefined) return make({} as State); else if (false) throw',
      ),
    ],
    file: 'wasi-forger',
    case: 'wasi: forged descriptors',
    denial: 'one of a constructor',
  },
  {
    name: 'requests in a minute',
    edits: [edit('host/run/serve-request.ts', 'if (waitMs > 0) {', 'if (false) {')],
    file: 'request-flood',
    case: 'requests without a pause',
    denial: 'in one call',
  },
  {
    name: 'grants of one binary',
    edits: [
      edit(
        'policy/decide.ts',
        'plugin === holder.plugin && digest === holder.digest',
        'plugin === holder.plugin || digest === holder.digest',
      ),
    ],
    file: 'updater',
    case: 'plugin update that widens',
    denial: 'nor does a grant to the old one',
  },
  {
    name: 'yes to an update',
    edits: [
      edit(
        'kernel/plugins/install-plugin.ts',
        'if (!(await request.consent({ ...report, name: record.name }, granted, update))) {',
        'await request.consent(report, granted, update).catch(() => {}); if (false) {',
      ),
    ],
    file: 'updater',
    case: 'plugin update that widens',
    denial: 'without a yes the old one stays',
  },
  {
    name: 'order of versions',
    edits: [edit('packages/install/describe-update.ts', 'order < 0', 'order < -1')],
    file: 'updater',
    case: 'downgrade',
    denial: 'an older version says so',
  },
  {
    name: 'frames that are not JSON',
    edits: [
      edit(
        'host/run/parse-frame.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
        'throw fault(`sent a ${kind} frame that is not JSON`);',
        'throw new Error(kind);',
      ),
    ],
    file: 'fuzz',
    case: 'random input',
    denial: 'frames from a plugin process',
    plugins: ['shell'],
  },
  {
    name: 'segments of a path',
    edits: [edit('paths/parse-path.ts', "if (segment === '..')", 'if (false)')],
    file: 'fuzz',
    case: 'random input',
    denial: 'paths of guests',
    plugins: ['shell'],
  },
  {
    name: 'quotes of a line',
    edits: [pluginEdit('shell/read-tokens.ts', `      char === "'"\n`, `      char === ""\n`)],
    file: 'command-lines',
    case: 'quoting and operators in shell',
    denial: 'what is quoted is a word',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'arguments that rules know',
    // The rules themselves would not load: their examples fail when arguments play no part.
    edits: [
      edit(
        'kernel/consent/command-rules.ts',
        'return judgeCommand(command, rules(), places);',
        'return judgeCommand({ ...command, args: command.args.slice(0, 1) }, rules(), places);',
      ),
    ],
    file: 'command-lines',
    case: 'argument injection',
    denial: 'a reader with an argument',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'git that starts nothing',
    // The empty configuration in the sandbox stops it, too.
    edits: [
      edit(
        'programs/git/harden-git.ts',
        'if (at < 0) return { args: [...args], isSha256: false };',
        'if (at < 9999) return { args: [...args], isSha256: false };',
      ),
      edit(
        'programs/exec/bwrap-arguments.ts',
        '...repositories, ...fixed, ...files, ...folders];',
        '...repositories, ...fixed];',
      ),
    ],
    file: 'command-lines',
    case: 'repository configured to execute',
    denial: 'neither readers nor a granted git',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'filter that was not run',
    edits: [
      edit(
        'programs/git/filter-drivers.ts',
        'settings: filterSettings(drivers, allowed, isStrict),',
        'settings: filterSettings(drivers, allowed, false),',
      ),
    ],
    file: 'git-filters',
    case: 'filter that a repository configures',
    denial: 'what nobody allowed neither runs',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'files that a filter would write',
    edits: [
      edit(
        'programs/git/filter-drivers.ts',
        'if (first !== undefined) throw filterRefused(subcommand, first);',
        '',
      ),
    ],
    file: 'git-filters',
    case: 'filter that a repository configures',
    denial: 'a file that it would write',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'commands of a filter',
    edits: [
      edit(
        'programs/git/filter-drivers.ts',
        'Buffer.from(JSON.stringify(commands))',
        "Buffer.from(JSON.stringify(commands.map((each) => each.replace('touch ran; ', ''))))",
      ),
    ],
    file: 'git-filters',
    case: 'filter that a repository configures',
    denial: 'a yes to one command',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'work tree of attributes',
    edits: [edit('programs/git/person-git.ts', '`--work-tree=', '`--namespace=')],
    file: 'git-filters',
    case: 'filter that a repository configures',
    denial: 'a setting does not hide',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'repository that points back',
    edits: [
      edit(
        'programs/git/repository-folder.ts',
        'resolve(folder, back) === own;',
        "typeof back === 'string';",
      ),
    ],
    file: 'git-outer',
    case: 'work tree whose repository lies outside',
    denial: 'a file that leads to a repository',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'yes to a repository outside',
    edits: [
      edit(
        'programs/git/open-git-run.ts',
        'if (outer !== undefined) requireOuter(outer, run.repositories ?? []);',
        '',
      ),
    ],
    file: 'git-outer',
    case: 'work tree whose repository lies outside',
    denial: 'one that knows it needs a yes',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'other work trees of a repository outside',
    edits: [
      edit(
        'programs/git/outer-repository.ts',
        'folders: [...survey.folders, ...trees.filter((tree) => tree !== own)],',
        'folders: survey.folders,',
      ),
    ],
    file: 'git-outer',
    case: 'work tree whose repository lies outside',
    denial: 'with a yes git sees nothing',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'programs on the line of git',
    edits: [edit('programs/exec/run-program.ts', 'if (isGit) refuseStarted(run.args);', '')],
    file: 'git-programs',
    case: 'program that git would start',
    denial: 'an option or a setting names it',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'subcommands that are known',
    edits: [edit('programs/git/find-withheld.ts', 'if (!known.has(subcommand)) {', 'if (false) {')],
    file: 'git-programs',
    case: 'program that git would start',
    denial: 'a subcommand runs what it is told',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'differences past paths',
    edits: [edit('programs/git/find-withheld.ts', 'if (past !== undefined) {', 'if (false) {')],
    file: 'git-programs',
    case: 'program that git would start',
    denial: 'a stash is shown as text',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'whole commits of a search',
    edits: [
      edit('programs/git/leave-out-withheld.ts', 'if (whole !== undefined) {', 'if (false) {'),
    ],
    file: 'content-gate',
    case: 'searches of what a protected file holds',
    denial: 'a right guess',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'password of a remote',
    edits: [
      edit(
        'programs/git/git-settings.ts',
        'const isKept = !/[=\\n]/.test(name) && kept.some(([n, v]) => n.test(name) && v.test(value));',
        'const isKept = !/[=\\n]/.test(name) && kept.some(([n]) => n.test(name));',
      ),
    ],
    file: 'hostile-repository',
    case: 'settings of a repository',
    denial: 'of its configuration',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'end of a name in an index',
    edits: [
      edit(
        'programs/git/mark-index.ts',
        'return length < 0 ? -1 : nameAt + length;\n}',
        'return index.indexOf(0, nameAt);\n}',
      ),
      edit('programs/git/mark-index.ts', '  if (end < 0) return undefined;\n', ''),
      edit(
        'programs/git/mark-index.ts',
        ' || order > 0 || (order === 0 && stage <= lastStage)',
        '',
      ),
    ],
    file: 'hostile-repository',
    case: 'index of git that has no end',
    denial: 'the call ends',
    plugins: ['git'],
    needs: bubblewrap,
  },
  {
    name: 'restrictions of a project, plugins',
    edits: [
      edit(
        'contracts/protected-names.ts',
        "return segments.includes('.git') || segments.includes(projectFile);",
        "return segments.includes('.git');",
      ),
      edit(
        'host/interfaces/fs-write.ts',
        'if (path.segments.some(isProjectFile)) {',
        'if (path.segments.some(() => false)) {',
      ),
    ],
    file: 'project-rules',
    case: 'restrictions of a project by a plugin',
    denial: 'they are not written',
  },
  {
    name: 'restrictions of a project, programs',
    edits: [
      edit(
        'programs/exec/bwrap-arguments.ts',
        'return [...root, ...held, ...repositories, ...fixed, ...files, ...folders];',
        'return [...root, ...held, ...repositories, ...files, ...folders];',
      ),
    ],
    file: 'project-rules',
    case: 'restrictions of a project by a program',
    denial: 'they are not written',
    needs: bubblewrap,
  },
  {
    name: 'folders above restrictions, programs',
    edits: [
      edit('programs/exec/survey-root.ts', "if (found.kind === 'fixed') hold", 'if (false) hold'),
    ],
    file: 'project-rules',
    case: 'restrictions of a project by a program',
    denial: 'those of a folder below',
    needs: bubblewrap,
  },
  {
    name: 'change of restrictions',
    edits: [edit('kernel/journaled-run.ts', 'if (changed !== undefined) warn(changed);', '')],
    file: 'project-rules',
    case: 'restrictions of a project that changed',
    denial: 'the next run says',
  },
  {
    name: 'attributes above others',
    edits: [
      edit('programs/exec/bwrap-arguments.ts', "['--ro-bind', plan.masks.info(), covered]", '[]'),
    ],
    file: 'committed-secret',
    case: 'attributes that would open a history',
    denial: 'a .gitattributes of the work tree',
    needs: bubblewrap,
    plugins: ['shell', 'git'],
  },
  {
    name: 'files that others run',
    edits: [
      edit('kernel/consent/authorize-write.ts', 'if (runBy !== undefined)', "if (runBy === '')"),
    ],
    file: 'consent',
    case: 'file that other programs run',
    denial: 'no grant writes',
  },
  {
    name: 'patterns in linear time',
    edits: [
      edit(flagsFile, "  '--enable-experimental-regexp-engine-on-excessive-backtracks',\n", ''),
    ],
    file: 'giant-reader',
    case: 'pattern that backtracks for ever',
    denial: 'it is matched in linear time',
  },
  {
    name: 'patterns that only trying can match',
    edits: [edit('fs/scan-tree.ts', 'if (!pattern.isTried) search();', 'if (reader) search();')],
    file: 'giant-reader',
    case: 'pattern that backtracks for ever',
    denial: 'one that only trying can match',
  },
  {
    name: 'files that are read-only',
    edits: [
      edit(
        'paths/present-file.ts',
        'return isWritable ? undefined :',
        "return isWritable || name !== '' ? undefined :",
      ),
    ],
    file: 'consent',
    case: 'file that is read-only',
    denial: 'no grant writes',
  },
  {
    name: 'values of a workspace',
    edits: [
      edit(
        'host/interfaces/kv.ts',
        'const { values, outputs, project } = ports;',
        "const { values, outputs } = ports;\n  const project = '';",
      ),
    ],
    file: 'value-thief',
    case: 'values of another workspace',
    denial: 'what a plugin kept in one workspace',
  },
  {
    name: 'memory of its own',
    edits: [
      edit(
        'host/interfaces/memory.ts',
        '{ ...query, source: plugin, questions: true }',
        '{ ...query, questions: true }',
      ),
    ],
    file: 'value-thief',
    case: 'memory of somebody else',
    denial: 'neither what a person said',
  },
  {
    name: 'leave to read pieces',
    edits: [
      edit(
        'kernel/plugins/host-services.ts',
        'if (!reader.roots.includes(workRoot)) return undefined;',
        'reader.roots = [workRoot];',
      ),
    ],
    file: 'value-thief',
    case: 'pieces of files in memory',
    denial: 'leave to use memory',
  },
  {
    name: 'protection of pieces',
    edits: [
      edit(
        'kernel/plugins/host-services.ts',
        'gate.shows({ root: workRoot, path }, reader) &&',
        '',
      ),
      edit('host/interfaces/memory.ts', 'notSources: files?.withheld ?? []', 'notSources: []'),
    ],
    file: 'value-thief',
    case: 'pieces of files in memory',
    denial: 'a file that was protected since',
  },
  {
    name: 'outputs of a workspace',
    edits: [
      edit(
        'store/value-queries.ts',
        'AND run IN (SELECT id FROM runs WHERE project = ?) LIMIT 1',
        "AND ? <> '' LIMIT 1",
      ),
    ],
    file: 'value-thief',
    case: 'lines of a shell in another workspace',
    denial: 'a long output',
    needs: bubblewrap,
    plugins: ['shell'],
  },
  {
    name: 'values of one that is gone',
    edits: [
      edit(
        'kernel/plugins/install-plugin.ts',
        'if (old === undefined) await ports.clearValues(publisher.data);',
        '',
      ),
    ],
    file: 'value-thief',
    case: 'values of a plugin that was removed',
    denial: 'nor of what was left behind',
  },
  {
    name: 'who said what is recalled',
    edits: [edit('ask/extractive-answer.ts', 'hit.source === undefined', 'hit !== undefined')],
    file: 'value-thief',
    case: 'words put into the mouth of a person',
    denial: 'what a plugin remembered',
  },
  {
    name: 'rules with many `**`',
    edits: [edit('lib/text/rule-set.ts', 'if (!isDeepRule(rule)) continue;', 'continue;')],
    file: 'hostile-repository',
    case: 'ignore file that is matched without an end',
    denial: 'rules with many',
    plugins: ['file'],
  },
  {
    name: 'globs that backtrack',
    edits: [
      edit(
        'lib/text/glob.ts',
        "return (name) => fitsSteps(steps, name.length, (unit, at) => unit === '?' || unit === name[at]);",
        "const all = new RegExp('^' + glob.replace(/\\*+/g, '.*').replace(/\\?/g, '.') + '$'); return (name) => all.test(name);",
      ),
    ],
    file: 'hostile-repository',
    case: 'patterns of a project that are matched without an end',
    denial: 'many patterns',
    plugins: ['file'],
  },
  {
    name: 'turns of a walk',
    edits: [
      edit(
        'lib/turns.ts',
        'if (performance.now() - startedMs < turnMs) return undefined;',
        'if (startedMs > 0) return undefined;',
      ),
    ],
    file: 'hostile-repository',
    case: 'walk that is interrupted',
    denial: 'Ctrl+C ends a look',
    plugins: ['file'],
  },
  {
    name: 'length of a rule',
    edits: [edit('lib/text/rule-set.ts', 'line.length <= maxRuleLength && ', '')],
    file: 'hostile-repository',
    case: 'ignore file that is matched without an end',
    denial: 'a rule that is longer',
    plugins: ['file'],
  },
  {
    name: 'markers in the data',
    edits: [edit('guard/mark-untrusted.ts', ".replace(markerLike, '(')", '')],
    file: 'word-forger',
    case: 'orders in a file',
    denial: 'they are data',
    plugins: ['search', 'file'],
  },
  {
    name: 'personal data for a remote model',
    edits: [
      edit(
        'guard/create-redactor.ts',
        'const result = replaceFindings(text, found, vault.standInOf);',
        'const result = text;',
      ),
    ],
    file: 'word-forger',
    case: 'personal data in a file',
    denial: 'an address and a card number',
    plugins: ['file'],
  },
  {
    name: 'escaped delimiters',
    edits: [
      edit(
        'guard/create-guard.ts',
        'const escaped = escapeDelimiters(seen.text);',
        'const escaped = seen;',
      ),
    ],
    file: 'word-forger',
    case: 'hidden and forged characters',
    denial: 'the end of a message',
    plugins: ['file'],
  },
  {
    name: 'hidden characters',
    edits: [
      edit(
        'guard/create-guard.ts',
        'const seen = showHidden(redactor.result(text, source));',
        'const seen = { text: redactor.result(text, source), shown: [] };',
      ),
    ],
    file: 'word-forger',
    case: 'hidden and forged characters',
    denial: 'what nobody sees',
    plugins: ['file'],
  },
  {
    name: 'words for a secret',
    edits: [
      edit(
        'guard/create-vault.ts',
        'if (held === undefined) {',
        'if (held === undefined) return word; if (held === undefined) {',
      ),
    ],
    file: 'word-forger',
    case: 'words for what was kept',
    denial: 'those for a secret',
    plugins: ['file'],
  },
  {
    name: 'disguises in an answer',
    edits: [
      edit(
        'guard/create-guard.ts',
        'withoutEcho(linked, echoes.find(linked))',
        'withoutEcho(linked, [])',
      ),
    ],
    file: 'word-forger',
    case: 'secret in disguise',
    denial: 'no answer shows',
    plugins: ['file', 'shell'],
  },
  {
    name: 'disguises in a call',
    edits: [edit('guard/create-guard.ts', '[json, sent + said]', "['']")],
    file: 'word-forger',
    case: 'secret in disguise',
    denial: 'no program and no network',
    plugins: ['file', 'shell'],
  },
  {
    name: 'pieces of a secret in a call',
    edits: [edit('guard/create-guard.ts', 'texts.map(echoes.spelled)', "[''].map(echoes.spelled)")],
    file: 'word-forger',
    case: 'secret in disguise',
    denial: 'no program and no network',
    plugins: ['file', 'shell'],
  },
  {
    name: 'escapes of mail',
    edits: [
      edit('guard/mapped-text.ts', '[quoted, styled]) next.push', '[styled]) next.push'),
      edit('guard/mapped-text.ts', 'const quoted = ', 'export const quoted = '),
    ],
    file: 'word-forger',
    case: 'secret in disguise',
    denial: 'no answer shows',
    plugins: ['file', 'shell'],
  },
  {
    name: 'other readings of an address',
    edits: [edit('guard/find-leak.ts', '[text, solid, backwards(solid)]', '[text]')],
    file: 'word-forger',
    case: 'address that carries data away',
    denial: 'in whichever part',
    plugins: ['file'],
  },
  {
    name: 'parts of an address',
    edits: [edit('guard/find-leak.ts', 'placed.some((text) => isIn(sentences, text));', 'false;')],
    file: 'word-forger',
    case: 'address that carries data away',
    denial: 'in whichever part',
    plugins: ['file'],
  },
  {
    name: 'several addresses',
    edits: [edit('guard/find-leak.ts', "(trails.get(part.key) ?? '') + part.text", 'part.text')],
    file: 'word-forger',
    case: 'address that carries data away',
    denial: 'nor is it shared out',
    plugins: ['file'],
  },
  {
    name: 'addresses of a model',
    edits: [
      edit('guard/read-texts.ts', 'if (invented.has(siteOf(url))) return false;', ''),
      edit('guard/read-texts.ts', 'if (isError) return;', ''),
      edit('guard/read-texts.ts', 'each.calls <= until && ', ''),
    ],
    file: 'word-forger',
    case: 'address that carries data away',
    denial: 'nor is an address let through',
    plugins: ['file'],
  },
  {
    name: 'addresses in an answer',
    edits: [
      edit('guard/create-guard.ts', 'if (leak === undefined) return whole;', 'return whole;'),
    ],
    file: 'word-forger',
    case: 'address that carries data away',
    denial: 'an image',
    plugins: ['file'],
  },
  {
    name: 'grant of an order',
    edits: [
      edit(
        'policy/decide.ts',
        'if (held.some((grant) => denialOf(grant, config.denied) === undefined)) {',
        'if (held !== undefined) {',
      ),
    ],
    file: 'word-forger',
    case: 'orders in a file',
    denial: 'they are data',
    plugins: ['search', 'file'],
  },
  {
    name: 'words of a plugin',
    edits: [
      edit('talk/converse.ts', '...(tools.isBuiltin(plugin) ? {} : { wordsOf: plugin }),', ''),
    ],
    file: 'word-forger',
    case: 'orders of a tool',
    denial: 'in its description',
    plugins: ['search', 'file'],
  },
  {
    name: 'common folder of git',
    edits: [
      edit(
        'paths/ignore-rules.ts',
        "return (has('objects') && has('refs')) ||",
        "return (has('HEAD') && has('objects') && has('refs')) ||",
      ),
    ],
    file: 'hostile-repository',
    case: 'repository whose common folder has no HEAD',
    denial: 'its configuration and hooks',
    needs: bubblewrap,
    plugins: ['file', 'shell'],
  },
  {
    name: 'parts of the header of a model',
    edits: [edit('models/llama/check-gguf.ts', 'if (numbers > maxNumbers)', 'if (false)')],
    file: 'hostile-models',
    case: 'sparse model of 200 GB',
    denial: 'no more of it is read',
  },
  {
    name: 'header of a model',
    edits: [edit('models/llama/check-gguf.ts', 'if (end > maxPosition)', 'if (end < 0)')],
    file: 'hostile-models',
    case: 'sparse model of 200 GB',
    denial: 'no more of it is read',
  },
  {
    name: 'time to open a model',
    edits: [
      edit(
        'kernel/ask/open-question.ts',
        'await untilAborted(model.open(), AbortSignal.any([signal, late.signal]));',
        'await model.open();',
      ),
    ],
    file: 'hostile-models',
    case: 'template of a model that has no end',
    denial: 'the question ends in its time',
    needs: storyModel,
  },
  {
    name: 'files of a tokenizer',
    edits: [
      edit(
        'models/onnx/parse-model-folder.ts',
        '(found.isFile() && found.size <= maxBytes)',
        'found !== undefined',
      ),
    ],
    file: 'hostile-models',
    case: 'tokenizer of a model',
    denial: 'one without an end',
  },
  {
    name: 'size of a lock',
    edits: [edit('lib/files/read-file.ts', 'found.size > maxBytes', 'false')],
    file: 'hostile-lock',
    case: 'lock of plugins that somebody else wrote',
    denial: 'one without an end',
  },
  {
    name: 'owner of a workspace',
    edits: [edit('config/find-workspace.ts', 'marks.concat(found).some(isForeign)', 'false')],
    file: 'foreign-owners',
    case: 'workspace that another user marks',
    denial: 'a repository in a shared folder',
    needs: twoUsers,
    plugins: ['file'],
  },
  {
    name: 'attributes of a granted git',
    edits: [
      edit(
        'programs/git/open-git-run.ts',
        'needsInfo(run.args) ?',
        'needsInfo(run.args) && run.readOnly ?',
      ),
    ],
    file: 'committed-secret',
    case: 'attributes that would open a history',
    denial: 'also where git is granted whole',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'folder that -C leads to',
    edits: [
      edit(
        'programs/git/open-git-run.ts',
        '?? repositoryAt(folder, place.cwd)',
        '?? repositoryAt(folder, [])',
      ),
    ],
    file: 'committed-secret',
    case: 'attributes that would open a history',
    denial: 'also where git is granted whole',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'commits of a case',
    edits: [edit('cli/author/run-case.ts', 'if (ofGit !== undefined) {', "if (ofGit === '') {")],
    file: 'foreign-cases',
    case: 'cases of a plugin that somebody else wrote',
    denial: 'a commit that configures',
  },
  {
    name: 'files of a case',
    edits: [
      {
        file: 'sdk/author/write-files.ts',
        from: 'if (!path.startsWith(folder + sep)) {',
        to: 'if (path === folder) {',
      },
    ],
    file: 'foreign-cases',
    case: 'cases of a plugin that somebody else wrote',
    denial: 'a file outside',
  },
  {
    name: 'process of cases',
    edits: [edit('sandbox/confine-program.ts', "    ...['--require', lock],\n", '')],
    file: 'foreign-cases',
    case: 'cases of a plugin that somebody else wrote',
    denial: 'a file of cases that is',
  },
  {
    name: 'process of a definition',
    edits: [edit('cli/author/build-any.ts', '    nodeFlags: lockedNode(),\n', '')],
    file: 'foreign-cases',
    case: 'definition of a plugin that somebody else wrote',
    denial: 'to tell what',
  },
  {
    name: 'network of cases',
    edits: [edit('cli/author/run-case.ts', 'if (isLive || !isOnline', 'if (isLive || true')],
    file: 'foreign-cases',
    case: 'network that cases grant themselves',
    denial: 'nothing is asked',
    plugins: ['web', 'shell'],
  },
  {
    name: 'sandbox of cases',
    edits: [
      edit(
        'kernel/plugins/author-builds.ts',
        "createProcessSandbox('auto');",
        "createProcessSandbox('none');",
      ),
    ],
    file: 'foreign-cases',
    case: 'program of cases in the sandbox of the operating system',
    denial: 'it sees',
    needs: bubblewrap,
  },
  {
    name: 'everything in a home',
    edits: [
      edit(
        'config/check-home.ts',
        '.map(({ name }) => name)\n      .sort()',
        ".map(({ name }) => name)\n      .filter((name) => ['config.toml', 'grants.toml'].includes(name))",
      ),
    ],
    file: 'foreign-owners',
    case: 'home that another user writes',
    denial: 'one that the neighbour made',
    needs: twoUsers,
    plugins: ['file'],
  },
  {
    name: 'targets of Markdown',
    edits: [
      edit(
        'guard/find-leak.ts',
        "linkForms.join('|')",
        "linkForms.filter((_, at) => at !== 5).join('|')",
      ),
    ],
    file: 'word-forger',
    case: 'address that carries data away',
    denial: 'in whichever part',
    plugins: ['file'],
  },
  {
    name: 'owner of a home',
    edits: [edit('lib/files/exposed-part.ts', 'uid !== own && uid !== 0 &&', 'uid < 0 &&')],
    file: 'foreign-owners',
    case: 'home that another user writes',
    denial: 'one that the neighbour made',
    needs: twoUsers,
    plugins: ['file'],
  },
  {
    name: 'owner of a home without root',
    edits: [edit('lib/files/exposed-part.ts', 'if (isShared || found.uid !== root) root = 0;', '')],
    file: 'no-namespaces',
    case: 'program where user namespaces are forbidden',
    denial: 'a home of the neighbour',
    needs: enclosed,
    plugins: ['file', 'shell'],
  },
  {
    name: 'programs without a sandbox',
    edits: [
      edit(
        'programs/exec/find-sandbox.ts',
        "if (found.tier !== 'missing') return found;",
        "return found.tier === 'missing' ? { tier: 'none' } : found;",
      ),
    ],
    file: 'no-namespaces',
    case: 'program where user namespaces are forbidden',
    denial: 'no program runs',
    needs: enclosed,
    plugins: ['file', 'shell'],
  },
  {
    name: 'mode of a home',
    edits: [edit('lib/files/exposed-part.ts', '(found.mode & othersWrite) === 0', 'true')],
    file: 'foreign-owners',
    case: 'home that another user writes',
    denial: 'so is an own one',
    needs: twoUsers,
    plugins: ['file'],
  },
  {
    name: 'history of a linked tree',
    edits: [edit('programs/git/leave-out-withheld.ts', '[top, main].flatMap', '[top].flatMap')],
    file: 'git-beside',
    case: 'protected file by what git keeps beside it',
    denial: 'a linked work tree',
    needs: bubblewrap,
    plugins: ['shell'],
  },
  {
    name: 'replaced objects',
    edits: [edit('programs/git/harden-git.ts', "    '--no-replace-objects',\n", '')],
    file: 'git-beside',
    case: 'protected file by what git keeps beside it',
    denial: 'a reference puts it',
    needs: bubblewrap,
    plugins: ['shell'],
  },
  {
    name: 'sizes in packs',
    edits: [edit('programs/git/find-withheld.ts', 'packedSize.test(arg)', 'false')],
    file: 'git-beside',
    case: 'protected file by what git keeps beside it',
    denial: 'what files take',
    needs: bubblewrap,
    plugins: ['shell'],
  },
  {
    name: 'words of a person',
    edits: [edit('memory/memory-record.ts', ' || record.source !== undefined) parts', ') parts')],
    file: 'value-thief',
    case: 'memory of somebody else',
    denial: 'the same words',
    plugins: ['search', 'file'],
  },
  {
    name: 'memory ranked alone',
    edits: [
      edit(
        'memory/search/search-memory.ts',
        'query.isAlone ? await scoredAlone(found, words) : found',
        'found',
      ),
    ],
    file: 'memory-listener',
    case: 'memory that tells what others hold',
    denial: 'by what a word is worth',
  },
  {
    name: 'pieces that are withheld',
    edits: [
      edit('host/interfaces/memory.ts', 'notSources: files?.withheld ?? []', 'notSources: []'),
    ],
    file: 'memory-listener',
    case: 'memory that tells what others hold',
    denial: 'by the places',
  },
  {
    name: 'groups that are left',
    edits: [edit('lib/process/child.ts', 'for one in $pids; do below', 'for one in; do below')],
    file: 'left-behind',
    case: 'process that is left when cuervo was killed',
    denial: 'one that a program',
  },
  {
    name: 'models that are left',
    edits: [edit('models/spawn-model-process.ts', "orphanReaper.watch(child, 'group');", '')],
    file: 'left-behind',
    case: 'process that is left when cuervo was killed',
    denial: 'a model without',
  },
  {
    name: 'second mark of a workspace',
    edits: [
      edit(
        'config/find-workspace.ts',
        'marks.concat(found).some',
        'marks.slice(0, 1).concat(found).some',
      ),
    ],
    file: 'foreign-owners',
    case: 'workspace that another user marks',
    denial: 'nor an own repository',
    needs: twoUsers,
    plugins: ['file'],
  },
  {
    name: 'heap of a model',
    edits: [edit('models/spawn-model-process.ts', 'maxHeapMiB = 1024;', 'maxHeapMiB = 4096;')],
    file: 'hostile-models',
    case: 'template of a model that has no end',
    denial: 'one that grows',
    needs: storyModel,
  },
  {
    name: 'repository that a link leads to',
    edits: [
      edit(
        'programs/git/open-git-run.ts',
        "if (path.startsWith('..')) throw",
        "if (path.startsWith('..')) return undefined;\n  if (path === '') throw",
      ),
    ],
    file: 'git-beside',
    case: 'repository behind a link in the place of .git',
    denial: 'one that lies outside',
    needs: bubblewrap,
    plugins: ['shell'],
  },
  {
    name: 'start of a model that failed',
    edits: [edit('models/spawn-model-process.ts', 'const restMs = 60_000;', 'const restMs = 0;')],
    file: 'hostile-models',
    case: 'tokenizer of a model',
    denial: 'one that hangs while it loads',
  },
  {
    name: 'end of a model that still loads',
    edits: [edit('models/spawn-model-process.ts', '      closing.abort();\n', '')],
    file: 'hostile-models',
    case: 'tokenizer of a model',
    denial: 'one that hangs while it loads',
  },
  {
    name: 'look for file systems that do not answer',
    edits: [
      edit(
        'kernel/journaled-run.ts',
        '      await requireAnsweringMounts(config.workspace);\n',
        '',
      ),
    ],
    file: 'remote-disks',
    case: 'file system that never answers',
    denial: 'a question, a tool',
    needs: strangerDisk,
    plugins: ['file', 'search', 'shell'],
  },
  {
    name: 'interrupt of a call whose process never ends',
    edits: [edit(processFile, 'held?.unref?.();', 'void held;')],
    file: 'remote-disks',
    case: 'file system that never answers',
    denial: 'and with Ctrl+C',
    needs: strangerDisk,
    plugins: ['file', 'shell'],
  },
  {
    name: 'times of a file system that sets them as it likes',
    edits: [edit('lib/files/times.ts', 'localTypes.has(statfsSync(path).type)', 'true')],
    file: 'remote-disks',
    case: 'file system whose times tell nothing',
    denial: 'a protected file that appeared',
    needs: strangerDisk,
    plugins: ['shell'],
  },
  {
    name: 'items of a stream',
    edits: [edit('wasi/adapters/drain.ts', 'if (length > maxItems) {', 'if (length < 0) {')],
    file: 'async-guest',
    case: 'streams without an end',
    denial: 'one that is written',
  },
  {
    name: 'bytes of parts',
    edits: [edit('wasi/adapters/call-act.ts', 'bytes += text.length;', '')],
    file: 'act-streamer',
    case: 'parts of a result without an end',
    denial: 'a stream of them',
  },
  {
    name: 'Ctrl+C for an asynchronous call',
    edits: [
      edit(
        processFile,
        "if (this.#waiter !== undefined) this.#cancel(KernelError.from(reason, 'canceled'));",
        'void reason;',
      ),
    ],
    file: 'async-guest',
    case: 'asynchronous call that somebody ends',
    denial: 'a guest that takes turns',
  },
  {
    name: 'end of a call that holds on',
    edits: [edit(processFile, 'this.#deadline.start(graceMs, () => this.kill(reason));', '')],
    file: 'async-guest',
    case: 'promises that are never kept',
    denial: 'one that takes turns',
  },
  {
    name: 'asynchronous calls that are left',
    edits: [unwatched],
    file: 'async-guest',
    case: 'asynchronous call that somebody ends',
    denial: 'a guest that waits',
  },
  {
    name: 'ends of streams',
    edits: [untold],
    file: 'waitable-guest',
    case: 'ends of streams that are not there',
    denial: 'one that was dropped',
  },
  {
    name: 'asynchronous calls without an end',
    edits: [edit(processFile, 'this.#deadline.start(timeoutMs, () => {', 'void (() => {')],
    file: 'waitable-guest',
    case: 'what nobody writes or reads any more',
    denial: 'two imports',
  },
  {
    name: 'imports of another call',
    edits: [
      edit(
        'wasi/adapters/adapt-exports.ts',
        "throw new Error('the call that this instance was made for has ended');",
        'void own;',
      ),
    ],
    file: 'waitable-guest',
    case: 'task that goes on behind its call',
    denial: 'it asks for nothing',
  },
  {
    name: 'maximum of a memory that is written to',
    edits: unboundedMemory,
    file: 'waitable-guest',
    case: 'memory that grows while a stream is read into it',
    denial: 'it has the limit',
  },
  {
    name: 'resources in streams',
    edits: [
      edit(
        'host/install/component/type-schema.ts',
        "      case 'handle':\n",
        "      case 'handle':\n        if (type) return { kind: 'u8' };\n",
      ),
    ],
    file: 'waitable-guest',
    case: 'stream of owned resources',
    denial: 'it is refused',
  },
  {
    name: 'stack of an asynchronous call',
    edits: [untold],
    file: 'stack-guest',
    case: 'calls of one part by another that stand still',
    denial: 'a stack without an end',
  },
  {
    name: 'calls back',
    edits: [untold],
    file: 'reentrant-guest',
    case: 'part that calls back into the one that called it',
    denial: 'at once or out of a callback',
  },
  {
    name: 'trap behind a result',
    edits: [untold],
    file: 'late-trapper',
    case: 'trap behind the result',
    denial: 'a guest that traps',
  },
  {
    name: 'grant that names a tool',
    edits: [
      edit(
        'host/interfaces/tools.ts',
        '    await ports.requireTool(caller, tool);\n    requireChain',
        '    requireChain',
      ),
      edit(
        'policy/decide.ts',
        "if (found.decision === 'deny') {",
        "if (found.decision === 'deny' && capability !== 'tools') {",
      ),
    ],
    file: 'tool-caller',
    case: 'a tool that no grant names',
    denial: 'a call without a grant for it',
    plugins: ['file', 'search'],
  },
  {
    name: 'effect of the calling tool',
    edits: [edit('host/interfaces/tools.ts', '    requireEffect(caller, tool);\n', '')],
    file: 'tool-caller',
    case: 'an effect above that of the caller',
    denial: 'a tool that promised to read',
    plugins: ['file'],
  },
  {
    name: 'chain of tools',
    edits: [
      edit('host/interfaces/tools.ts', 'if (chain.includes(name))', 'if (chain.length > 99)'),
    ],
    file: 'tool-caller',
    case: 'recursion through tools',
    denial: 'a tool that waits already',
    plugins: ['file'],
  },
  {
    name: 'depth of tools',
    edits: [edit('host/interfaces/tools.ts', 'const maxDepth = 4;', 'const maxDepth = 99;')],
    file: 'tool-caller',
    case: 'recursion through tools',
    denial: 'a fifth tool is refused',
    plugins: ['file'],
  },
];

type TestResult = { fullName: string; status: string };

/** A copy of what is built and tested, with the edits made; the caller removes it. */
function copyWith(edits: readonly Edit[], plugins: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'cuervo-defences-'));
  // Cases of two users run it as others than the one who made it.
  chmodSync(copy, 0o755);
  const parts = [
    'src',
    'sdk',
    'wit',
    'scheduler',
    'tests/escape',
    'tests/fixtures',
    'tests/contract/support/act-tools/wit',
    'tests/support',
    // What the configuration of the tests imports.
    ...readdirSync(join(root, 'tests'))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `tests/${name}`),
  ];
  const files = [
    'package.json',
    'package-lock.json',
    'vitest.config.ts',
    'tsconfig.json',
    'LICENSE',
  ];
  for (const part of [...parts, ...files])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  // Guests share files as parts of one repository.
  mkdirSync(join(copy, '.git'));
  // Other built-in plugins play no part and take their time to build.
  mkdirSync(join(copy, 'plugins'));
  for (const name of new Set(plugins))
    cpSync(join(root, 'plugins', name), join(copy, 'plugins', name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const { file, from, to } of edits) {
    const path = join(copy, file);
    const text = readFileSync(path, 'utf8');
    const found = text.split(from).length - 1;
    if (found !== 1)
      throw new Error(`${file} holds ${JSON.stringify(from)} ${found} times, not once`);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
  }
  return copy;
}

async function runCases(copy: string, cases: readonly Defence[]): Promise<TestResult[]> {
  const pattern = cases
    .map(
      (one) =>
        `${quoteForPattern(one.case)} (> )?(denied: ${quoteForPattern(one.denial)}|control: )`,
    )
    .join('|');
  const files = [...new Set(cases.map(({ file }) => `tests/escape/${file}.test.ts`))];
  const report = join(copy, 'report.json');
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'escape', ...files];
  const flags = ['-t', pattern, '--reporter=json', `--outputFile=${report}`];
  const child = spawn(process.execPath, [...args, ...flags], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  }
  await new Promise((resolve) => child.once('close', resolve));
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { assertionResults: TestResult[]; message: string }[];
    };
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    // A file that cannot be imported has a message in the place of results.
    if (results.length === 0) throw new Error(testResults.map(({ message }) => message).join('\n'));
    return results;
  } catch (thrown) {
    throw new Error(`the tests did not run: ${thrown}\n${output.slice(-4000)}`);
  }
}

function quoteForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function statusOf(results: readonly TestResult[], begin: string): string {
  const found = results.find(({ fullName }) => fullName.replace(' > ', ' ').startsWith(begin));
  return found?.status ?? 'not run';
}

type Row = { defence: Defence; denial: string; control: string };

function rowOf(defence: Defence, results: readonly TestResult[]): Row {
  return {
    defence,
    denial: statusOf(results, `${defence.case} denied: ${defence.denial}`),
    control: statusOf(results, `${defence.case} control: `),
  };
}

async function withCopy<Value>(
  edits: readonly Edit[],
  plugins: readonly string[],
  use: (copy: string) => Promise<Value>,
): Promise<Value> {
  const copy = copyWith(edits, plugins);
  try {
    return await use(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function printRow(name: string, of: string, verdict: string): void {
  console.log(`${name.padEnd(44)} ${of.padEnd(80)} ${verdict}`);
}

async function main(): Promise<void> {
  const names = process.argv.slice(2);
  const unknown = names.find((wanted) => !defences.some(({ name }) => name === wanted));
  if (unknown !== undefined) {
    console.error(`there is no defence "${unknown}"; npm run defences -- [NAME…], of these:`);
    for (const { name } of defences) console.error(`  ${name}`);
    process.exitCode = 2;
    return;
  }
  const named = defences.filter(({ name }) => names.length === 0 || names.includes(name));
  const isThere = ({ needs }: Defence): boolean => needs?.isThere?.() ?? true;
  const chosen = named.filter(isThere);
  for (const { name, needs } of named.filter((one) => !isThere(one))) {
    console.log(`left out: ${name} (needs ${needs?.file}: ${needs?.install})`);
  }
  const startedMs = performance.now();
  const all = chosen.flatMap(({ plugins = [] }) => plugins);
  const whole = await withCopy([], all, (copy) => runCases(copy, chosen));
  const broken = chosen
    .map((defence) => rowOf(defence, whole))
    .filter((row) => row.denial !== 'passed' || row.control !== 'passed');
  for (const { defence, denial, control } of broken) {
    console.log(
      `with every defence in place "${defence.case}": denial ${denial}, control ${control}`,
    );
  }
  if (broken.length > 0) process.exitCode = 1;
  const standing = chosen.filter((one) => !broken.some(({ defence }) => defence === one));
  printRow('defence', 'case', 'fails without it');
  printRow('(none)', `all ${standing.length} below`, 'no, as it should be');
  const waiting = [...standing];
  let kept = 0;
  const work = async (): Promise<void> => {
    for (let defence = waiting.shift(); defence !== undefined; defence = waiting.shift()) {
      const one = defence;
      const results = await withCopy(one.edits, one.plugins ?? [], (copy) => runCases(copy, [one]));
      const { denial, control } = rowOf(one, results);
      const shown = denial === 'failed' && control === 'passed';
      if (!shown) kept += 1;
      const detail = shown ? 'yes' : `NO (denial ${denial}, control ${control})`;
      printRow(one.name, `${one.file}: ${one.case}`, detail);
    }
  };
  await Promise.all([work(), work()]);
  console.log(
    `${standing.length} defences in ${Math.round((performance.now() - startedMs) / 1000)} s`,
  );
  if (kept > 0) process.exitCode = 1;
}

if (import.meta.main) await main();
