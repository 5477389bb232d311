import { KernelError } from '../contracts/error.ts';
import type { AskPassphrase } from '../contracts/secrets.ts';
import { inTurn } from './in-turn.ts';
import { holdNotes } from './output.ts';
import { typeHidden } from './read-hidden.ts';

const questions = {
  new: 'New passphrase for your secrets, 8 characters or more (not shown): ',
  known: 'Passphrase of your secrets (not shown): ',
};

/** @returns undefined without a terminal on both ends, where nobody can be asked */
export function createAskPassphrase(): AskPassphrase | undefined {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
  return (what, { signal }) =>
    inTurn(async () => {
      using _held = holdNotes();
      const typed = await typeHidden(questions[what], signal);
      if (what === 'known' || typed === (await typeHidden('Type it again: ', signal))) return typed;
      throw new KernelError('invalid-argument', 'the two passphrases differ', {
        hint: 'Nothing was saved; run the command again.',
      });
    });
}
