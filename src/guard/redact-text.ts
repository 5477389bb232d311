import { createVault } from './create-vault.ts';
import { replaceFindings, scan } from './scan-text.ts';

/**
 * A text with stand-ins for secrets and personal data. Call it before a text is cut: half a key is
 * not recognised. Linear in the length of the text; a second call changes nothing.
 */
export function redact(text: string): string {
  const vault = createVault();
  vault.noteLookAlikes(text);
  return replaceFindings(text, scan(text), vault.standInOf);
}
