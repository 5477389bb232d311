import { plainWords, tellsSomething } from '../../contracts/fact-words.ts';
import { factForms } from './fact-forms.ts';

const maxWords = 30;
/** "I'm allergic to nuts", "we like tea", and not "I need a list of ports". */
const ofSpeaker =
  /^(?:(?:i|we)(?:['’](?:m|re|ve))?|ich|wir|yo|nosotros|je|j['’]\p{L}+|nous|eu|n[óo]s)\s+(?!need|want|would|wish|cannot|can|wonder|brauche|will|m[öo]chte|necesito|quiero|veux|voudrais|preciso|quero)/iu;

/** Whether a sentence tells something, as "my birthday is on 4 May" does; not what it is worth. */
export function readsAsStatement(text: string): boolean {
  const said = text.trim();
  if (/[?？¿\n]/.test(said)) return false;
  if (factForms.some(({ asks, orders }) => asks.test(said) || orders.test(said))) return false;
  const words = plainWords(said).length;
  return words <= maxWords && (tellsSomething(said) || (words > 2 && ofSpeaker.test(said)));
}
