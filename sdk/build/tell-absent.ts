import type { AbsentGlobal } from './bundle-for-engine.ts';
import { adviceOn, hollow } from './known-globals.ts';
import type { Bundle } from './placed-bundle.ts';

/** More of them are counted. */
const maxTold = 10;

/**
 * One sentence for each absent global: where it is used, what helps, and what imports that file.
 * It is not an error before that line runs.
 */
export function tellAbsent(
  absent: readonly AbsentGlobal[],
  bundle: Pick<Bundle, 'chainTo'>,
): string[] {
  const names = [...new Set(absent.map(({ name }) => name))];
  const told = names.slice(0, maxTold).map((name) => {
    const places = absent.filter((each) => each.name === name);
    const [first] = places as [AbsentGlobal];
    const more = places.length > 1 ? ` and in ${places.length - 1} more files` : '';
    const where = `${first.file}:${first.line}${more}`;
    const what = hollow.get(name) ?? 'is undefined at run time';
    return `${name} ${what}: ${where}${reachedBy(first.file, bundle)}; ${adviceOn(name)}`;
  });
  const left = names.slice(maxTold);
  if (left.length === 0) return told;
  const more = left.length > maxTold ? ` and ${left.length - maxTold} more` : '';
  return [...told, `also missing at run time: ${left.slice(0, maxTold).join(', ')}${more}`];
}

/** ` (plugin.ts > node_modules/a/index.js)`; nothing for the plugin's own file. */
export function reachedBy(file: string, bundle: Pick<Bundle, 'chainTo'>): string {
  const chain = bundle.chainTo(file).slice(0, -1);
  if (chain.length === 0) return '';
  const shown = chain.length > 4 ? [...chain.slice(0, 2), '…', ...chain.slice(-1)] : chain;
  return ` (imported by ${shown.join(' > ')})`;
}
