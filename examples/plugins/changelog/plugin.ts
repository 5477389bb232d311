import { clock, definePlugin, exec, fs, fsWrite, HostError, ToolError, v } from '@cuervo/sdk';
import { type Entry, parseLog, sections } from './sections.ts';

const version = v.pipe(
  v.string(),
  v.regex(/^[\w.+-]{1,64}$/, 'is no version'),
  v.description('the version that the section is called after'),
);
const since = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[\w./-]{1,100}$/, 'is no name of a commit'),
    v.description('a tag or commit; default: the last tag'),
  ),
);

export default definePlugin({
  name: 'changelog',
  version: '0.1.0',
  description: 'Writes the next section of a changelog from the commits since the last tag.',
  licence: 'Apache-2.0',
  wants: [
    { capability: 'exec', why: 'runs git log and git describe in the repository' },
    { capability: 'fs', why: 'reads CHANGELOG.md and lets git read the repository' },
    { capability: 'fs-write', why: 'writes the new section into CHANGELOG.md' },
    { capability: 'clock', why: 'puts the date of today beside the version' },
  ],
  tools: [
    {
      name: 'draft',
      description:
        'The next section of the changelog as Markdown, from commits since the last tag; nothing is written.',
      effect: 'external',
      input: v.object({ version, since }),
      examples: [{ version: '1.2.0' }],
      run: (input) => {
        const { text, entries } = draft(input);
        return { content: text, summary: `${entries.length} commits for ${input.version}` };
      },
    },
    {
      name: 'write',
      description:
        'Puts the next section, from commits since the last tag, on top of CHANGELOG.md.',
      effect: 'external',
      input: v.object({ version, since }),
      examples: [{ version: '1.2.0' }],
      run: (input) => {
        const { text, entries } = draft(input);
        const { body, hash } = readChangelog();
        if (body.includes(`\n## ${input.version} `)) {
          throw new ToolError('conflict', `CHANGELOG.md has a section ${input.version} already`);
        }
        fsWrite.writeText('work:CHANGELOG.md', withSection(body, text), hash);
        return {
          content: { path: 'CHANGELOG.md', commits: entries.length },
          summary: `wrote ${entries.length} commits for ${input.version} into CHANGELOG.md`,
        };
      },
    },
  ],
});

function draft(input: { version: string; since?: string | undefined }): {
  text: string;
  entries: Entry[];
} {
  const from = input.since ?? lastTag();
  const range = from === undefined ? [] : [`${from}..HEAD`];
  const entries = parseLog(git(['log', '--no-merges', '--format=%H%x1f%s%x1e', ...range]));
  if (entries.length === 0)
    throw new ToolError('not-found', `there are no commits since ${from ?? 'the beginning'}`);
  const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
  return { entries, text: `## ${input.version} (${day})\n\n${sections(entries)}` };
}

function lastTag(): string | undefined {
  const { exitCode, stdout } = run(['describe', '--tags', '--abbrev=0']);
  return exitCode === 0 ? stdout.trim() : undefined;
}

function git(args: string[]): string {
  const { exitCode, stdout, stderr } = run(args);
  if (exitCode !== 0)
    throw new ToolError('failed', `git ${args[0]}: ${stderr.trim().split('\n')[0]}`);
  return stdout;
}

function run(args: string[]): exec.Output {
  return exec.run({ program: 'git', args });
}

function readChangelog(): { body: string; hash?: string } {
  try {
    const { text, hash } = fs.readText('work:CHANGELOG.md');
    return { body: text, hash };
  } catch (thrown) {
    if (thrown instanceof HostError && thrown.code === 'not-found')
      return { body: '# Changelog\n' };
    throw thrown;
  }
}

/** Behind the title, above the section before. */
function withSection(body: string, text: string): string {
  const at = body.search(/^## /m);
  const head = (at < 0 ? body : body.slice(0, at)).trimEnd();
  const rest = at < 0 ? '' : `\n${body.slice(at)}`;
  return `${head}\n\n${text}${rest}`;
}
