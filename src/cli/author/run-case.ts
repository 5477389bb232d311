import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaseOutcome } from '../../../sdk/author/compare-outcome.ts';
import type { PluginCase } from '../../../sdk/author/parse-cases.ts';
import { writeFiles } from '../../../sdk/author/write-files.ts';
import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { foldPath } from '../../contracts/protected-names.ts';
import type { ToolEvent } from '../../contracts/tool.ts';
import type { StandIn } from '../../kernel/kernel-options.ts';
import { openKernel } from '../../kernel.ts';

export type CaseOptions = {
  file: string;
  plugin: string;
  signal: AbortSignal;
  /** where prepared binaries are kept from run to run */
  tried: string;
  onToolEvent(tool: string, event: ToolEvent): void;
  standIn?: StandIn;
  /** what the case has no answer for may go to the network */
  isLive?: boolean;
  callTimeoutMs?: number;
};

/**
 * Calls the tool in the real host: a kernel with a home and a workspace of its own, which are gone
 * afterwards.
 *
 * @param look reads what is left in the workspace
 */
export async function runCase<Value>(
  one: Pick<PluginCase, 'tool' | 'input' | 'grants' | 'files' | 'commits' | 'host'>,
  options: CaseOptions,
  look: (outcome: CaseOutcome, workspace: string) => Value,
): Promise<Value> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-case-')));
  try {
    const home = join(dir, 'home');
    const workspace = join(dir, 'work');
    mkdirSync(home, { mode: 0o700 });
    mkdirSync(workspace);
    mkdirSync(options.tried, { recursive: true, mode: 0o700 });
    symlinkSync(options.tried, join(home, 'tried'));
    await makeCommits(workspace, one.commits);
    writeFiles(workspace, one.files);
    const { callTimeoutMs, isLive = false, standIn = recordedHost(one, isLive) } = options;
    await using kernel = await openKernel({
      home,
      workspace,
      plugins: [options.file],
      allow: one.grants,
      onToolEvent: options.onToolEvent,
      standIn,
      ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }),
    });
    const tool = one.tool.includes('.') ? one.tool : `${options.plugin}.${one.tool}`;
    const outcome: CaseOutcome = {};
    for await (const event of kernel.run(tool, one.input, { signal: options.signal })) {
      if (event.type === 'result')
        Object.assign(outcome, { content: event.content, summary: event.summary });
      if (event.type === 'error') outcome.error = { code: event.code, message: event.message };
    }
    return look(outcome, workspace);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The same in every run, so that hashes are, too. */
const identity = {
  GIT_AUTHOR_NAME: 'Case',
  GIT_AUTHOR_EMAIL: 'case@example.org',
  GIT_COMMITTER_NAME: 'Case',
  GIT_COMMITTER_EMAIL: 'case@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};
/** 2026-01-01T00:00:00Z */
const firstSeconds = 1_767_225_600;

/**
 * Makes the workspace of a case a repository; each commit is a day after the one before.
 *
 * @throws {KernelError} `invalid-argument` for a file that would configure git
 */
async function makeCommits(folder: string, commits: PluginCase['commits']): Promise<void> {
  if (commits.length === 0) return;
  git(folder, ['init', '-q', '-b', 'main'], 0);
  for (const [index, { message, files, tag }] of commits.entries()) {
    const ofGit = Object.keys(files).find((name) => foldPath(name).split('/').includes('.git'));
    if (ofGit !== undefined) {
      const text = `a commit of a case holds ${JSON.stringify(ofGit)}, which git would obey`;
      throw new KernelError('invalid-argument', text, { hint: 'Write it under files.' });
    }
    writeFiles(folder, files);
    git(folder, ['add', '-A'], index);
    git(folder, ['commit', '-q', '--allow-empty', '-m', message], index);
    if (tag !== undefined) git(folder, ['tag', '--', tag], index);
  }
}

function git(folder: string, args: readonly string[], day: number): void {
  const date = `${firstSeconds + day * 86_400} +0000`;
  const env = {
    PATH: process.env.PATH,
    ...identity,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  };
  const ran = spawnSync('git', args, { cwd: folder, env, encoding: 'utf8' });
  if (ran.status === 0) return;
  const reason = ran.error?.message ?? ran.stderr.trim();
  throw new KernelError('unavailable', `a case needs git for its commits: ${reason}`, {
    hint: 'Install git.',
  });
}

/**
 * Answers of a case in place of the host's: each call takes the next one, and behind the last the
 * call fails, which names how many there were.
 *
 * @param isLive what it has no answer for may reach the network, as far as its grants say: whoever
 *   wrote the plugin wrote them, too
 */
function recordedHost(
  { host, grants }: Pick<PluginCase, 'host' | 'grants'>,
  isLive: boolean,
): StandIn {
  const made = new Map<string, number>();
  // A program may ask what the plugin may ask.
  const isOnline = grants.some((grant) => /^(?:http|ssh):/i.test(grant.trim()));
  return async (call) => {
    const answers = Object.hasOwn(host, call) ? host[call] : undefined;
    if (answers === undefined) {
      if (isLive || !isOnline || !['http.send', 'exec.run'].includes(call)) return undefined;
      const text = `the case has no answer of ${call}, and reaches the network only with --live`;
      throw new ServiceError('denied', text, call);
    }
    const index = made.get(call) ?? 0;
    made.set(call, index + 1);
    const next = answers[index];
    if (next === undefined) {
      throw new ServiceError(
        'io',
        `the case has ${answers.length} answers of ${call}, and it was called once more`,
        call,
      );
    }
    if ('error' in next)
      throw new ServiceError(next.error, next.message ?? `recorded: ${next.error}`, call);
    return { value: shaped(call, next.answer), target: call };
  };
}

/** Bytes stand as texts in a case. */
function shaped(call: string, answer: unknown): unknown {
  if (call === 'random.bytes' || call === 'kv.get')
    return answer === null ? undefined : asBytes(answer);
  if (call === 'exec.run') {
    const { stdout = '', stderr = '', truncated = false, durationMs = 1, ...rest } = Object(answer);
    return { stdout, stderr, truncated, durationMs, ...rest };
  }
  if (call !== 'http.send') return answer;
  const { status = 200, headers = [], body = '' } = Object(answer) as Record<string, unknown>;
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers as object);
  const text = typeof body === 'object' && body !== null && !('base64' in body);
  return { status, headers: pairs, body: asBytes(text ? JSON.stringify(body) : body) };
}

function asBytes(value: unknown): Uint8Array {
  if (typeof value === 'string') return Buffer.from(value);
  if (Array.isArray(value)) return Uint8Array.from(value as number[]);
  return Buffer.from(String((value as { base64?: unknown } | null)?.base64 ?? ''), 'base64');
}
