import type { PromptStates } from './prompt-states.ts';
import type {
  CallRequest,
  ChooseRequest,
  GenerateRequest,
  StateFile,
  StateReply,
} from './protocol.ts';

/** Which file is read or written with a prompt. */
export type PrefixFiles = {
  /** @param request one without a prompt has none */
  forPrompt(request: { type: string } & Partial<Prompt>): Promise<PrefixFile>;
  /** Resolves when all that was written is kept. */
  settled(): Promise<void>;
};

type Prompt = Pick<GenerateRequest, 'turns'> &
  Partial<Pick<ChooseRequest | CallRequest, 'offered'>>;

export type PrefixFile = Disposable & {
  /** for the model process */
  named: { file?: StateFile };
  settle(reply: StateReply): void;
};

const none: PrefixFile = { named: {}, settle: () => {}, [Symbol.dispose]: () => {} };

/**
 * A system text is kept at once, because it is the same for all questions. With tools it is kept when
 * it comes again: each question may have others.
 *
 * @param find where the process finds a path
 */
export function createPrefixFiles(
  states: PromptStates | undefined,
  find: (path: string) => string,
): PrefixFiles {
  /** The text that the process has read last; it needs no file for that. */
  let held: string | undefined;
  let keeping: Promise<void> = Promise.resolve();

  const forPrompt: PrefixFiles['forPrompt'] = async ({ turns, offered = [] }) => {
    if (states === undefined || turns === undefined) return none;
    const system = turns.filter(({ role }) => role === 'system');
    const text = JSON.stringify({ system, offered });
    if (text === held) return none;
    held = text;
    const found = await states.find(text);
    if (found !== undefined) {
      return {
        ...none,
        named: { file: { load: find(found) } },
        settle: ({ state }) => state === 'useless' && states.drop(found),
      };
    }
    if (offered.length > 0 && !states.wasSeen(text)) return none;
    const part = states.part();
    if (part === undefined) return none;
    let isTaken = false;
    return {
      named: { file: { save: find(part), leastMs: states.leastMs } },
      settle: (reply) => {
        if (reply.state !== 'saved') return;
        isTaken = true;
        keeping = keeping.then(() => states.keep(text, part, reply.bytes));
      },
      [Symbol.dispose]: () => {
        if (!isTaken) states.drop(part);
      },
    };
  };

  return { forPrompt, settled: () => keeping };
}
