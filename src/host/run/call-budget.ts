import { KernelError } from '../../contracts/error.ts';
import { bytesAbove } from '../../protocol/bytes-above.ts';
import type { ProcessLimits } from '../../protocol/messages.ts';
import type { ProcessMessage } from './parse-frame.ts';

/** What a log line or a label costs beside its text, so that empty ones are not flood. */
const lineCost = 16;

/**
 * The limits of one call, held once more on this side: a plugin process keeps them itself as
 * long as its engine is whole, and one that sends more is broken.
 *
 * @returns a check of each message that belongs to the call
 * @throws {KernelError} `plugin-fault` from the check, for the message that is too much
 */
export function createCallBudget(limits: ProcessLimits): (received: ProcessMessage) => void {
  let logged = 0;

  const takeLine = (text: string): void => {
    if (logged + text.length > limits.maxLogBytes) {
      throw tooMuch('log text', limits.maxLogBytes, 'max-log-bytes');
    }
    logged += text.length + lineCost;
  };

  return (received) => {
    if (received.kind === 'log') takeLine(received.message.message);
    if (received.kind === 'progress') takeLine(received.message.label);
    if (received.kind !== 'result') return;
    const { message } = received;
    if (message.calls.length > limits.maxHostCalls) {
      throw tooMuch('host calls', limits.maxHostCalls, 'max-host-calls');
    }
    if (message.outcome !== 'ok') return;
    if (bytesAbove(limits.maxResultBytes, message.content, message.summary) !== undefined) {
      throw tooMuch('a result', limits.maxResultBytes, 'max-result-bytes');
    }
  };
}

function tooMuch(what: string, limit: number, name: string): KernelError {
  return new KernelError(
    'plugin-fault',
    `the plugin process sent ${what} above the limit of ${limit} (limits.${name}); it has to keep this limit itself`,
  );
}
