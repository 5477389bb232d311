import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cCompiler } from './support/c-guest.ts';
import type { Need } from './support/escape-case.ts';
import { networkPrograms } from './support/network-programs.ts';

/**
 * Takes each defence away in turn, in a copy of the sources, and shows that the case which is
 * named beside it then fails, while its control still passes: the copy works, only that
 * defence is gone. Before that, all of these cases have to pass with nothing taken away.
 *
 * `npm run defences [-- NAME …]`; exit code 1 when a case passes without its defence.
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
const processFile = 'host/plugin-process.ts';
const flagsFile = 'host/tier/engine-flags.ts';
const bubblewrap: Need = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };
const budget = edit(processFile, 'waiter.check(received);', '');

export const defences: readonly Defence[] = [
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
    edits: [edit('kernel/consent-desk.ts', 'const maxRefusals = 3;', 'const maxRefusals = 1000;')],
    file: 'consent',
    case: 'yes of nobody',
    denial: 'a yes to one change',
  },
  {
    name: 'keys of a project',
    edits: [
      edit(
        'config/parse-project-config.ts',
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
    edits: [edit('policy/denial.ts', 'capability === what.capability && (', 'false && (')],
    file: 'consent',
    case: 'project that widens',
    denial: 'and what it narrows',
  },
  {
    name: 'copied bytes',
    edits: [edit('host/process/adapters/bound-copies.ts', 'copied += bytes;', '')],
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
    name: 'core names',
    edits: [
      edit(
        'host/transpile/transpile-component.ts',
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
      edit(
        'host/below/open-name.ts',
        'const noFollow = constants.O_NOFOLLOW;',
        'const noFollow = 0;',
      ),
      edit('host/below/open-name.ts', 'if (found.isSymbolicLink())', 'if (false)'),
      edit('host/below/open-name.ts', '!isSame(opened,', 'false && !isSame(opened,'),
    ],
    file: 'by-path',
    case: 'links where names are reached by path',
    denial: 'to files and folders outside',
  },
  {
    name: 'paths of roots',
    edits: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
      edit('host/tier/launch-plain.ts', '`--allow-fs-read=${path}`', "'--allow-fs-read=*'"),
    ],
    file: 'by-path',
    case: 'process that is given the paths of its roots',
    denial: 'reads nothing else',
  },
  {
    name: 'inherited descriptors',
    edits: [edit('host/cover-inherited.ts', 'inherited().has(number)', 'false')],
    file: 'left-open',
    case: 'folder that the parent of cuervo left open',
    denial: 'native code of a plugin',
  },
  {
    name: 'inherited descriptors, sandbox',
    edits: [edit('host/cover-inherited.ts', 'inherited().has(number)', 'false')],
    file: 'left-open',
    case: 'folder that the parent of cuervo left open',
    denial: 'nor does it in the sandbox',
  },
  {
    name: 'namespaces',
    edits: [
      edit(
        'host/tier/launch-bubblewrap.ts',
        "'--unshare-all',",
        "'--unshare-user', '--unshare-uts',",
      ),
      edit('host/tier/launch-bubblewrap.ts', "'--proc', '/proc'", "'--ro-bind', '/proc', '/proc'"),
    ],
    file: 'native-sandbox',
    case: 'native code in the sandbox of the operating system',
    denial: 'no network, program',
  },
  {
    name: 'filter of system calls',
    edits: [
      edit(
        'host/tier/seccomp-filter.ts',
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
        'host/tier/launch-bubblewrap.ts',
        "mounts.push('--ro-bind', folder, inside);",
        "mounts.push('--bind', folder, inside);",
      ),
    ],
    file: 'native-sandbox',
    case: 'native code in the sandbox of the operating system',
    denial: 'no file is written',
  },
  {
    name: 'masks of a plugin process',
    edits: [
      edit('host/tier/masked-paths.ts', 'if (kind !== undefined) masks.push({ path, kind });', ''),
    ],
    file: 'native-sandbox',
    case: 'native code in the sandbox of the operating system',
    denial: 'no key',
  },
  {
    name: 'death with the parent',
    edits: [
      edit('host/tier/launch-bubblewrap.ts', "'--die-with-parent',", ''),
      edit(
        processFile,
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
      edit(
        'host/below/open-name.ts',
        'const noFollow = constants.O_NOFOLLOW;',
        'const noFollow = 0;',
      ),
    ],
    file: 'link-follower',
    case: 'link to a file outside',
    denial: 'the text is denied',
  },
  {
    name: 'O_NOFOLLOW of writes',
    edits: [
      edit(
        'host/below/open-name.ts',
        'const noFollow = constants.O_NOFOLLOW;',
        'const noFollow = 0;',
      ),
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
        "if (isWithheld(isUnwritable, path.segments.join('/'), path.root)) {",
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
        'host/below/change-file.ts',
        'if (expectHash !== undefined && before?.hash !== expectHash) {',
        'if (false) {',
      ),
    ],
    file: 'file-writer',
    case: 'write over what changed, what is no file, and too much',
    denial: 'a file that is not what was read',
  },
  {
    name: 'memory maximum',
    edits: [
      edit(
        'host/prepare-plugin.ts',
        'planMemoryBounds(contents, limits.maxMemoryBytes)',
        'planMemoryBounds(contents, 2 ** 32)',
      ),
      edit('host/process/create-instance.ts', 'if (pages > open.maxPages) {', 'if (false) {'),
      edit('host/plugin-host.ts', 'requireMemory(loaded, options.limits.maxMemoryBytes);', ''),
    ],
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
    edits: [edit('host/transpile/run-child.ts', 'isTooLarge = true;', 'return;')],
    file: 'engine-filler',
    case: 'types that double',
    denial: 'glue for a hundred thousand parts',
  },
  {
    name: 'protected names',
    edits: [
      edit(
        'host/below/protected-check.ts',
        '  return check(relativePath, root);',
        '  return false;',
      ),
    ],
    file: 'secret-reader',
    case: 'protected names',
    denial: 'a key in the workspace',
  },
  {
    name: 'CUERVO_HOME withheld',
    edits: [
      edit(
        'host/process/guest-imports.ts',
        'const isProtected = protectAlso(options.protectedPaths);',
        'const isProtected = protectAlso({});',
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
        'host/plugin-store.ts',
        'if (bytes !== undefined && found === digest) {',
        'if (bytes !== undefined) {',
      ),
    ],
    file: 'changed-digest',
    case: 'digest changed on disk',
    denial: 'glue with one more line',
  },
  {
    name: 'known words: root',
    edits: [
      edit(
        'kernel/word-files.ts',
        'const path = pathOf(folder);',
        'const path = folder && pathOf(config.workspace);',
      ),
    ],
    file: 'known-words',
    case: 'words of files that a plugin may not read',
    denial: 'another root',
    plugins: ['search'],
  },
  {
    name: 'known words: grant',
    edits: [
      edit(
        'host/tally-help.ts',
        "const isAllowed = denied.fs === undefined && effectAllows(effect, 'fs.tally');",
        "const isAllowed = denied !== undefined && effectAllows(effect, 'fs.tally');",
      ),
    ],
    file: 'known-words',
    case: 'words of files that a plugin may not read',
    denial: 'without a grant',
    plugins: ['search'],
  },
  {
    name: 'known words: files',
    edits: [
      edit(
        'host/words/count-windows.ts',
        'return now !== undefined && isSameStamp(now, stamp);',
        'return now === undefined || isSameStamp(stamp, stamp);',
      ),
    ],
    file: 'known-words',
    case: 'words of files that a plugin may not read',
    denial: 'a file that was changed',
    plugins: ['search'],
  },
  {
    name: 'known words: folders',
    edits: [
      edit(
        'host/words/file-stamp.ts',
        'if (!isFolder(parentOf(path))) return undefined;',
        'isFolder(parentOf(path));',
      ),
    ],
    file: 'known-words',
    case: 'words of files that a plugin may not read',
    denial: 'a folder that was moved out',
    plugins: ['search'],
  },
  {
    name: 'known words: names',
    edits: [edit('host/tally-help.ts', ' || file.rules !== words.rules', '')],
    file: 'known-words',
    case: 'words of files that a plugin may not read',
    denial: 'a file whose name',
    plugins: ['search'],
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
        'host/parse-frame.ts',
        'const parsed = v.safeParse(schema, value);',
        'const parsed = { success: true, output: value, issues: [] };',
      ),
    ],
    file: 'frames',
    case: 'frames of a wrong shape',
    denial: 'fields that are missing',
  },
  {
    name: 'terms of each call',
    edits: [
      edit(
        processFile,
        'const isTold = last?.effect === effect && last.denied === denied && last.known === known;',
        'const isTold = last !== undefined;',
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
        'const terms = { effect, denied, known };',
        'const terms = (this.#lastTerms = { effect, denied, known });',
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
      edit('host/process/output-frame.ts', 'if (total > maxBytes) return;', ''),
    ],
    file: 'flooder',
    case: 'result flood',
    denial: 'two bytes more',
  },
  {
    name: 'effect check',
    edits: [edit('host/process/guest-imports.ts', '(effectAllows(scope.effect, call)', '(true')],
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
        'host/below/parse-path.ts',
        'const rootFd = roots.get(root);',
        'const rootFd = roots.get(root) ?? [...roots.values()][0];',
      ),
    ],
    file: 'crooked-paths',
    case: 'forged root',
    denial: 'a root that was not granted',
  },
  {
    name: 'manifest against imports',
    edits: [
      edit('host/component/judge-component.ts', '...judgeManifest(shape, manifest, own),', ''),
    ],
    file: 'lying-manifest',
    case: 'manifest that lies',
    denial: 'it asks for less',
  },
  {
    name: 'deadline',
    edits: [
      edit(
        'lib/deadline.ts',
        'timer = setTimeout(look, leftMs)',
        'timer = setTimeout(look, 2 ** 30)',
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
    edits: [edit('host/exec/limit-script.ts', '; exec "$@"`;', '; eval "$*"`;')],
    file: 'program-runner',
    case: 'arguments that a shell would obey',
    denial: 'none of them',
  },
  {
    name: 'program by name',
    edits: [edit('host/exec/find-program.ts', 'if (!programName.test(name)) {', 'if (false) {')],
    file: 'program-runner',
    case: 'program by a path',
    denial: 'a path is no name',
  },
  {
    name: 'folder of a program',
    edits: [
      edit(
        'host/exec/resolve-cwd.ts',
        "if (!isWithheld(isProtected, each.join('/'), path.root)) continue;",
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
      edit('host/exec/bwrap-arguments.ts', "'--die-with-parent', ", ''),
      edit('host/exec/run-launch.ts', 'if (init !== undefined) tryKill(init);', ''),
    ],
    file: 'program-runner',
    case: 'process tree that outlives its parent',
    denial: 'all of it ends when the kernel',
  },
  {
    name: 'file size',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
    edits: [edit('host/exec/limit-script.ts', '`ulimit -f ${blocks}`,', '')],
    file: 'program-runner',
    case: 'program that fills the disk',
    denial: 'a file ends',
  },
  {
    name: 'memory of a program',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
    edits: [edit('host/exec/limit-script.ts', '`ulimit -d ${kibibytes}`,', '')],
    file: 'program-runner',
    case: 'memory of a program',
    denial: 'one process',
  },
  {
    name: 'nothing done in a rehearsal',
    edits: [
      edit(
        'kernel/open-host.ts',
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
      edit(
        'host/exec/watch-tree.ts',
        'if (bytes <= limits.memoryBytes) return undefined;',
        'if (bytes > 0) return undefined;',
      ),
    ],
    file: 'program-runner',
    case: 'memory of a program',
    denial: 'several share it',
  },
  {
    name: 'output of a program',
    edits: [
      edit(
        'host/exec/run-launch.ts',
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
      edit('host/exec/bwrap-arguments.ts', ", '--clearenv'],", '],'),
      edit(
        'host/exec/plan-launch.ts',
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
        'host/exec/bwrap-arguments.ts',
        '...repositories, ...files, ...folders];',
        '...repositories];',
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
        'host/exec/bwrap-arguments.ts',
        "plan.writesRepositories && !readOnly ? '--bind' : '--ro-bind',",
        "'--bind',",
      ),
    ],
    file: 'program-runner',
    case: 'protected file by a program',
    denial: 'it is neither written',
  },
  {
    name: 'planted names',
    edits: [
      edit(
        'host/interfaces/exec.ts',
        'await withholdAll(run, before);',
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
      edit('cli/output.ts', 'import { escapeJson, escapeTerminal }', 'import { escapeTerminal }'),
    ],
    file: 'program-runner',
    case: 'terminal escapes of a program',
    denial: 'nor as JSON',
  },
  {
    name: 'time of a folder',
    edits: [
      edit(
        'host/exec/survey-root.ts',
        'const { ctimeMs, ino } = stats;',
        'const { mtimeMs: ctimeMs, ino } = stats;',
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
        'host/exec/survey-root.ts',
        'const ofGit = isGitDirectory((name) => names.has(name));',
        "const ofGit = isGitDirectory((name) => names.has(name)) && at === '\\0';",
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
        'host/exec/bwrap-arguments.ts',
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
        'host/exec/bwrap-arguments.ts',
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
      edit(
        'kernel/plugin-commands.ts',
        'builtins.list().some(({ name }) => name === record?.name)',
        'builtins.list().length < 0',
      ),
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
        'host/component/parse-describe.ts',
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
    edits: [edit('cli/output.ts', 'process.stdout.isTTY ? escapeTerminal(text) : text', 'text')],
    file: 'painter',
    case: 'words of a tool that a terminal would obey',
    denial: 'as log, progress',
  },
  {
    name: 'system calls of a program',
    edits: [
      edit(
        'host/exec/plan-launch.ts',
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
        'host/exec/survey-root.ts',
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
        'host/exec/granted-target.ts',
        'find(({ origin }) => origins.includes(origin));',
        'find(({ port }) => port !== undefined);',
      ),
      edit(
        'host/exec/granted-target.ts',
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
        'host/exec/open-tunnel.ts',
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
        'host/exec/pass-request.ts',
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
        'host/exec/open-program-proxy.ts',
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
        'host/interfaces/exec.ts',
        'const isProtected = protectAlso(ports.protectedPaths);',
        'const isProtected = protectAlso({});',
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
      edit('host/http/send-request.ts', 'await ports.authorize(request.method, request.url);', ''),
    ],
    file: 'http-caller',
    case: 'network without grant',
    denial: 'a grant of one origin',
  },
  {
    name: 'origin of a redirect',
    edits: [
      edit(
        'host/http/send-request.ts',
        'redirectTo(location, hop.url)',
        'new URL(location, hop.url)',
      ),
      edit('host/http/send-request.ts', 'await ports.authorize(next.method, next.url);', ''),
      edit('host/http/send-request.ts', 'if (next.url.origin !== origin) return answer;', ''),
    ],
    file: 'http-caller',
    case: 'redirect to another origin',
    denial: 'the other origin is not asked',
  },
  {
    name: 'private addresses',
    edits: [
      edit(
        'host/http/resolve-addresses.ts',
        'if (!found.every(isPublicAddress)) {',
        'if (false) {',
      ),
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
        'host/http/send-request.ts',
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
    edits: [edit('host/http/send-once.ts', 'agent: new Agent({ keepAlive: false }),', '')],
    file: 'http-caller',
    case: 'proxy of the environment',
    denial: 'it is not asked',
  },
  {
    name: 'certificates',
    edits: [edit('host/http/send-once.ts', 'rejectUnauthorized: true,', '')],
    file: 'http-caller',
    case: 'certificate that nobody vouches for',
    denial: 'a server with another name',
  },
  {
    name: 'origins of a secret',
    edits: [
      edit(
        'host/http/insert-secrets.ts',
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
        'host/exec/bwrap-arguments.ts',
        "...['--ro-bind', masks.attributes, gitAttributes],",
        '',
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
    edits: [edit('host/interfaces/exec.ts', 'if (isGit && run.readOnly) {', 'if (false) {')],
    file: 'committed-secret',
    case: 'withheld file in a history',
    denial: 'its content is not had by its hash',
    plugins: ['shell', 'git'],
    needs: bubblewrap,
  },
  {
    name: 'sealed secrets',
    edits: [
      edit(
        'kernel/secrets.ts',
        'sealed.sealed = seal(key, secret.value, aboutOf(sealed));',
        'sealed.sealed = secret.value;',
      ),
      edit(
        'kernel/secrets.ts',
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
        'kernel/authorize.ts',
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
    edits: [edit('host/http/hide-echo.ts', 'left = replaceAll(left, form, shown);', '')],
    file: 'http-caller',
    case: 'secret',
    denial: 'what a server sends back',
  },
  {
    name: 'headers of a request',
    edits: [
      edit(
        'host/http/check-request.ts',
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
    edits: [edit('host/http/read-body.ts', 'of counted(decoded, maxBytes)', 'of decoded')],
    file: 'http-caller',
    case: 'answer without an end',
    denial: 'a small body that unpacks',
  },
  {
    name: 'wasi paths stay below',
    edits: [
      edit(
        'host/process/wasi/filesystem/resolve-at.ts',
        'else if (below.pop() === undefined) throw leadsOut(text);',
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
        'host/process/wasi/filesystem/reach-place.ts',
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
        'host/process/wasi/filesystem/rename-directory.ts',
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
        'host/process/wasi/filesystem/pending-file.ts',
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
      edit(
        'host/below/open-name.ts',
        'const noFollow = constants.O_NOFOLLOW;',
        'const noFollow = 0;',
      ),
    ],
    file: 'wasi-program',
    case: 'wasi: paths that lead out',
    denial: 'a link to a file',
    needs: cCompiler,
  },
  {
    name: 'wasi half-written files',
    edits: [
      edit(
        'host/process/wasi/create-wasi-imports.ts',
        'discard: () => end(false)',
        'discard: () => end(true)',
      ),
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
        'host/process/wasi/create-clocks.ts',
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
      edit(
        'host/process/wasi/create-cli.ts',
        'if (stdout.add(bytes)) return;',
        'stdout.add(bytes); return;',
      ),
    ],
    file: 'wasi-program',
    case: 'wasi: flood of standard output',
    denial: 'it is stopped at the limit',
    needs: cCompiler,
  },
  {
    name: 'wasi resources counted',
    edits: [edit('host/process/wasi/resource.ts', 'if (alive >= limit) throw', 'if (false) throw')],
    file: 'wasi-waiter',
    case: 'wasi: thousands of pollables',
    denial: 'kept',
  },
  {
    name: 'wasi random length',
    edits: [
      edit(
        'host/process/wasi/create-random.ts',
        'if (wanted > wasiLimits.randomBytes) {',
        'if (false) {',
      ),
    ],
    file: 'wasi-waiter',
    case: 'wasi: giant lengths',
    denial: 'random bytes that nobody',
  },
  {
    name: 'wasi sockets denied',
    edits: [
      edit(
        'host/process/wasi/create-sockets.ts',
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
        'host/process/wasi/resource.ts',
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
    edits: [edit('host/serve-request.ts', 'if (waitMs > 0) {', 'if (false) {')],
    file: 'request-flood',
    case: 'requests without a pause',
    denial: 'in one call',
  },
  {
    name: 'grants of one binary',
    edits: [
      edit(
        'policy/grants-of.ts',
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
        'kernel/plugin-commands.ts',
        'if (!(await consent(reportOf(file, bytes, found), granted, update))) {',
        'await consent(reportOf(file, bytes, found), granted, update).catch(() => {}); if (false) {',
      ),
    ],
    file: 'updater',
    case: 'plugin update that widens',
    denial: 'without a yes the old one stays',
  },
  {
    name: 'order of versions',
    edits: [edit('kernel/describe-update.ts', 'order < 0', 'order < -1')],
    file: 'updater',
    case: 'downgrade',
    denial: 'an older version says so',
  },
  {
    name: 'frames that are no JSON',
    edits: [
      edit(
        'host/parse-frame.ts',
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
    edits: [
      edit('host/below/parse-path.ts', "if (segment === '.' || segment === '..')", 'if (false)'),
    ],
    file: 'fuzz',
    case: 'random input',
    denial: 'paths of guests',
    plugins: ['shell'],
  },
  {
    name: 'quotes of a line',
    edits: [pluginEdit('shell/read-tokens.ts', `char === "'"`, `char === ""`)],
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
        'kernel/command-rules.ts',
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
        'host/git/create-git-hardener.ts',
        'if (at < 0) return { args: [...args], isSha256: false };',
        'if (at < 9999) return { args: [...args], isSha256: false };',
      ),
      edit(
        'host/exec/bwrap-arguments.ts',
        '...repositories, ...files, ...folders];',
        '...repositories];',
      ),
    ],
    file: 'command-lines',
    case: 'repository configured to execute',
    denial: 'neither readers nor a granted git',
    plugins: ['shell'],
    needs: bubblewrap,
  },
  {
    name: 'password of a remote',
    edits: [
      edit(
        'host/git/kept-settings.ts',
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
        'host/git/mark-index.ts',
        'return length < 0 ? -1 : nameAt + length;\n}',
        'return index.indexOf(0, nameAt);\n}',
      ),
      edit('host/git/mark-index.ts', '  if (end < 0) return undefined;\n', ''),
      edit('host/git/mark-index.ts', ' || order > 0 || (order === 0 && stage <= lastStage)', ''),
    ],
    file: 'hostile-repository',
    case: 'index of git that has no end',
    denial: 'the call ends',
    plugins: ['git'],
    needs: bubblewrap,
  },
  {
    name: 'values of one that is gone',
    edits: [
      edit(
        'kernel/plugin-commands.ts',
        'if (old === undefined) await ports.clearValues(record.name);',
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
    edits: [edit('host/below/rule-set.ts', 'if (!isDeepRule(rule)) continue;', 'continue;')],
    file: 'hostile-repository',
    case: 'ignore file that is matched without an end',
    denial: 'rules with many',
    plugins: ['file'],
  },
  {
    name: 'length of a rule',
    edits: [edit('host/below/rule-set.ts', 'line.length <= fsLimits.pathBytes && ', '')],
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
        'guard/create-guard.ts',
        'return replaceFindings(text, found, vault.standInOf);',
        'return text;',
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
        'const seen = showHidden(redacted(text, source));',
        'const seen = { text: redacted(text, source), shown: [] };',
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
      edit('kernel/converse.ts', '...(ports.isBuiltin(plugin) ? {} : { wordsOf: plugin }),', ''),
    ],
    file: 'word-forger',
    case: 'orders of a tool',
    denial: 'in its description',
    plugins: ['search', 'file'],
  },
];

type TestResult = { fullName: string; status: string };

/** A copy of what is built and tested, with the edits made; the caller removes it. */
function copyWith(edits: readonly Edit[], plugins: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'cuervo-defences-'));
  const parts = [
    'src',
    'sdk',
    'wit',
    'scheduler',
    'tests/escape',
    'tests/fixtures',
    'tests/build-first.ts',
  ];
  const files = ['package.json', 'package-lock.json', 'vitest.config.ts', 'tsconfig.json'];
  for (const part of [...parts, ...files])
    cpSync(join(root, part), join(copy, part), { recursive: true });
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
      testResults: { assertionResults: TestResult[] }[];
    };
    return testResults.flatMap(({ assertionResults }) => assertionResults);
  } catch {
    throw new Error(`the tests did not run:\n${output.slice(-4000)}`);
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
  console.log(`${name.padEnd(26)}${of.padEnd(62)}${verdict}`);
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
  if (broken.length > 0) {
    process.exitCode = 1;
    return;
  }
  printRow('defence', 'case', 'fails without it');
  printRow('(none)', `all ${chosen.length} below`, 'no, as it should be');
  const waiting = [...chosen];
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
    `${chosen.length} defences in ${Math.round((performance.now() - startedMs) / 1000)} s`,
  );
  if (kept > 0) process.exitCode = 1;
}

if (import.meta.main) await main();
