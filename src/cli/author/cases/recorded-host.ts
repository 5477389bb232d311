import type { PluginCase } from '../../../../sdk/author/parse-cases.ts';
import { ServiceError } from '../../../contracts/host-service.ts';
import type { StandIn } from '../../../kernel/kernel-options.ts';

/**
 * Answers of a case in place of the host's: each call takes the next one, and behind the last the
 * call fails, which names how many there were.
 *
 * @param isLive what it has no answer for may reach the network, as far as its grants say: whoever
 *   wrote the plugin wrote them, too
 */
export function recordedHost(
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
