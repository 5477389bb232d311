import type { SessionModeState } from '@agentclientprotocol/sdk';
import type { ClientAnswers } from '../contracts/config.ts';
import { KernelError } from '../contracts/error.ts';

/** What a session may do without a question; as in a chat. */
export type Mode = 'ask' | 'edit' | 'plan';

const texts: Readonly<Record<Mode, { name: string; description: string }>> = {
  ask: { name: 'Ask', description: 'asks before changes' },
  edit: { name: 'Edit', description: 'edits files of the folder unasked; undo takes it back' },
  plan: { name: 'Plan', description: 'reads and says what it would do' },
};

/** To edit unasked is an answer that holds on: only a client whose answers do may choose it. */
function modesFor(answers: ClientAnswers): readonly Mode[] {
  return answers === 'session' ? ['ask', 'edit', 'plan'] : ['ask', 'plan'];
}

export function modeState(currentModeId: Mode, answers: ClientAnswers): SessionModeState {
  return {
    currentModeId,
    availableModes: modesFor(answers).map((id) => ({ id, ...texts[id] })),
  };
}

/** @throws {KernelError} for a mode that there is not, or that this client may not choose */
export function checkMode(id: string, client: string, answers: ClientAnswers): Mode {
  const found = modesFor(answers).find((each) => each === id);
  if (found !== undefined) return found;
  if (id !== 'edit') {
    throw new KernelError('invalid-argument', `there is no mode "${id.slice(0, 40)}"`, {
      hint: `There are: ${modesFor(answers).join(', ')}.`,
    });
  }
  throw new KernelError('permission-denied', `the mode edit is not open to ${client}`, {
    hint: `Open it in config.toml: [clients.${JSON.stringify(client)}] answers = "session"`,
  });
}
