import { plainWords, tellsSomething } from '../../contracts/fact-words.ts';
import { factForms } from './fact-forms.ts';

const maxWords = 30;

/** Whether a sentence tells something, as "my birthday is on 4 May" does; not what it is worth. */
export function readsAsStatement(text: string): boolean {
  const said = text.trim();
  if (/[?？¿\n]/.test(said)) return false;
  if (factForms.some(({ asks, orders }) => asks.test(said) || orders.test(said))) return false;
  return tellsSomething(said) && plainWords(said).length <= maxWords;
}
