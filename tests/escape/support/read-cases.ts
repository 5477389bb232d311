import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hostErrorCases } from '../../../src/contracts/tool.ts';

/** A case of the suite as its source says it. */
export type EscapeCaseText = {
  /** `link-follower.test.ts` */
  file: string;
  name: string;
  denials: string[];
  control: string;
  /** error codes and exit codes that its denials name */
  codes: string[];
};

const folder = resolve(import.meta.dirname, '..');
const errorCodes =
  /'(invalid-argument|permission-denied|resource-exhausted|deadline-exceeded|canceled|conflict|unavailable|tool-failed|plugin-fault)'/g;

const guestCases: ReadonlySet<string> = new Set<string>(hostErrorCases);

/**
 * Reads the cases from the sources of the tests, so that a table needs no run. Titles that are
 * made while the tests run are given as they are written.
 */
export function readCases(): EscapeCaseText[] {
  const files = readdirSync(folder).filter(
    (name) => name.endsWith('.test.ts') && name !== 'meta.test.ts',
  );
  return files.sort().flatMap((file) => casesOf(file, readFileSync(join(folder, file), 'utf8')));
}

function casesOf(file: string, text: string): EscapeCaseText[] {
  const [head = '', ...bodies] = text.split(/^escapeCase\(/m);
  return bodies.map((body) => {
    const name = /^\s*'([^']+)'/.exec(body)?.[1] ?? '';
    const [denied = '', controlled = ''] = body.split(/^ {2}control:/m);
    // Helpers of the file say the code where the case itself does not.
    const codes = codesIn(denied);
    return {
      file,
      name,
      denials: titlesIn(denied),
      control: titlesIn(controlled)[0] ?? '',
      codes: codes.length > 0 ? codes : codesIn(helpersOf(head, denied)),
    };
  });
}

/** Functions of the file that the text calls. */
function helpersOf(head: string, text: string): string {
  const blocks = head.split(/^(?=(?:async )?function |const )/m);
  return blocks
    .filter((block) => {
      const name = /^(?:(?:async )?function |const )(\w+)/.exec(block)?.[1];
      return name !== undefined && new RegExp(`\\b${name}\\(`).test(text);
    })
    .join('\n');
}

function codesIn(text: string): string[] {
  const found = [...text.matchAll(errorCodes)].map(([, code]) => code ?? '');
  if (/expectRefused\(|expectFault\(/.test(text)) found.push('plugin-fault');
  // What a guest is told of a single host call; of quoted words only those that are a case.
  const toGuests = [...text.matchAll(/'([a-z-]+)'/g)].map(([, word]) => word ?? '');
  found.push(...toGuests.filter((word) => guestCases.has(word)));
  if (found.length === 0 && /\[3\]|exitCode\)\.toBe\(3\)|code\)\.toBe\(3\)/.test(text))
    found.push('exit 3');
  return [...new Set(found)];
}

/** Quoted texts that stand where a half begins: behind `[`, `denied: [` or `control: [`. */
function titlesIn(text: string): string[] {
  return [
    ...text.matchAll(
      /(?:^ {2}denied: \[|^ {4}\[|^ *\[|^)\s*(?:'((?:[^'\\\n]|\\.)+)'|`([^`\n]+)`),\s*\n?\s*(?:async|\(|each|real|next|shared|\w+[\],(])/gm,
    ),
  ].map(([, single, template]) => (single ?? template ?? '').replaceAll("\\'", "'"));
}
