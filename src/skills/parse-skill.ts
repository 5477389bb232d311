import * as v from 'valibot';
import { parse } from 'yaml';
import { KernelError, reasonOf } from '../contracts/error.ts';

/** A recipe for a model, as https://agentskills.io/specification describes it. */
export type Skill = {
  name: string;
  description: string;
  /** names of tools and of plugins that it may call; undefined where it does not say */
  allowedTools: string[] | undefined;
  /** what is done where no model is used: `run TOOL`, or `ask QUESTION` with `…` for words */
  withoutModel: string | undefined;
  body: string;
};

const headSchema = v.looseObject({
  name: v.pipe(
    v.string(),
    v.maxLength(64),
    v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'is not lower case words with hyphens'),
  ),
  description: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(1024)),
  'allowed-tools': v.optional(v.union([v.string(), v.array(v.string())])),
  metadata: v.optional(v.record(v.string(), v.unknown())),
});

/**
 * @param folder its name, which that of the skill has to be
 * @throws {KernelError} `invalid-argument` with what is wrong
 */
export function parseSkill(text: string, folder: string): Skill {
  const [, head, body = ''] =
    /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  if (head === undefined) throw wrong('does not begin with front matter between two lines of ---');
  const parsed = v.safeParse(headSchema, yamlOf(head), { abortEarly: true });
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw wrong(`"${v.getDotPath(issue) ?? '(all)'}" ${issue.message}`);
  }
  const { name, description, metadata = {}, 'allowed-tools': tools } = parsed.output;
  if (name !== folder) throw wrong(`is called "${name}" and lies in a folder "${folder}"`);
  const { 'without-model': withoutModel } = metadata;
  return {
    ...{ name, description, body: body.trim() },
    allowedTools: typeof tools === 'string' ? toolWords(tools) : tools,
    withoutModel: typeof withoutModel === 'string' ? withoutModel : undefined,
  };
}

/** `Bash(git add:*) Read` and `Read, Grep` are both written. */
function toolWords(text: string): string[] {
  return text.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [];
}

function yamlOf(head: string): unknown {
  try {
    // A few lines can stand for gigabytes where names for parts of them may be repeated.
    return parse(head, { maxAliasCount: 0 });
  } catch (thrown) {
    throw wrong(`has front matter that is not YAML: ${reasonOf(thrown).split('\n', 1)[0]}`);
  }
}

function wrong(what: string): KernelError {
  return new KernelError('invalid-argument', `SKILL.md ${what}`, {
    hint: 'Its form is in docs/skills.md.',
  });
}
