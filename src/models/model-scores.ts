import { cpus, totalmem } from 'node:os';
import type { ChatModel, ModelRole } from '../contracts/model.ts';
import type { ModelScore } from '../contracts/output/parse-model.ts';
import type { Store } from '../contracts/store.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { sha256 } from '../lib/sha256.ts';
import type { ExamOutcome } from './test-model.ts';

type Settings = Pick<Store, 'getSetting' | 'setSetting'>;

/**
 * Results of tests: for a file by its digest and the machine, which decides the speed; for other
 * models by server and name.
 */
export function scoreOf(
  digest: string,
  settings: Pick<Settings, 'getSetting'>,
): ModelScore | undefined {
  const kept = settings.getSetting(keyOf('model-score', digest));
  // A score of an older test lacks fields.
  return kept !== undefined && 'none' in kept ? (kept as unknown as ModelScore) : undefined;
}

export function keepScore(
  named: string,
  digest: string,
  score: ModelScore,
  settings: Settings,
): void {
  settings.setSetting(keyOf('model-score', digest), plain(score));
  settings.setSetting(`model-tested:${named}`, { digest });
  settings.setSetting(keyOf('model-exam', digest), {});
}

/** The state of an interrupted test. */
export function examOf(
  digest: string,
  settings: Pick<Settings, 'getSetting'>,
): Record<string, ExamOutcome> {
  return { ...(settings.getSetting(keyOf('model-exam', digest)) as Record<string, ExamOutcome>) };
}

export function keepExam(
  digest: string,
  outcomes: Readonly<Record<string, ExamOutcome>>,
  settings: Settings,
): void {
  settings.setSetting(keyOf('model-exam', digest), plain(outcomes));
}

export type FoundRole = {
  role: ModelRole | 'none';
  /** `changed`: the model of this name was tested as another file */
  tested: 'yes' | 'never' | 'changed';
  /** its answers were better than passages alone in its test */
  hasPassed: boolean;
};

/**
 * The role of a model in this run: the person's choice, else the result of its test, else choosing
 * for a server's model and wording for an untested file.
 */
export async function roleOf(
  model: ChatModel,
  named: string,
  setting: ModelRole | 'auto',
  settings: Pick<Settings, 'getSetting'>,
): Promise<FoundRole> {
  const digest = await model.digest();
  const score = scoreOf(digest, settings);
  const before = settings.getSetting(`model-tested:${named}`) as { digest?: string } | undefined;
  const isOther = before?.digest !== undefined && before.digest !== digest;
  const tested = score !== undefined ? 'yes' : isOther ? 'changed' : 'never';
  const hasPassed = score !== undefined && score.role !== 'none';
  if (setting !== 'auto') return { role: setting, tested, hasPassed };
  if (score !== undefined) return { role: score.role, tested, hasPassed };
  // A server's model is as large as its machine allows; an untested file may be tiny.
  return { role: model.reach.mustCall ? 'word' : 'choose', tested, hasPassed };
}

function keyOf(kind: 'model-score' | 'model-exam', digest: string): string {
  const isFile = /^[0-9a-f]{64}$/.test(digest);
  return isFile ? `${kind}:${digest}@${machineId()}` : `${kind}:${digest}`;
}

/** Another processor, or another size of memory, is another machine. */
function machineId(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const parts = [process.platform, process.arch, cpu?.model, cpus().length, memory];
  return sha256(JSON.stringify(parts)).slice(0, 12);
}

function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
