import type { AskConsent, ConsentRequest } from '../../contracts/consent.ts';

/** What a chat may do without a question: nothing, edits of files, or nothing at all. */
export type Mode = 'ask' | 'edits' | 'plan';

const modes: readonly Mode[] = ['ask', 'edits', 'plan'];

export const modeTexts: Readonly<Record<Mode, string>> = {
  ask: 'asks before changes',
  edits: 'edits files unasked',
  plan: 'plans only',
};

export function nextMode(mode: Mode): Mode {
  return modes[(modes.indexOf(mode) + 1) % modes.length] ?? 'ask';
}

/** Asks a person as the mode says; `edits` answers for what an undo takes back, and for nothing else. */
export function askingIn(mode: () => Mode, ask: AskConsent): AskConsent {
  return async (request, options) => {
    if (mode() === 'plan') return { answer: 'no' };
    if (mode() === 'edits' && isPlainEdit(request)) return { answer: 'once' };
    return await ask(request, options);
  };
}

/** A file that other programs run, or that is read-only, is shown in every mode. */
function isPlainEdit({ effect, covers = [], builtin, afterReading }: ConsentRequest): boolean {
  const effects = covers.length === 0 ? [effect] : covers.map((each) => each.effect);
  return (
    builtin &&
    afterReading === undefined &&
    effects.every(
      (each) =>
        each.capability === 'fs-write' &&
        each.runBy === undefined &&
        (each.change.kind === 'create' || each.change.kind === 'write') &&
        each.change.readOnly === undefined,
    )
  );
}
