import type { Json } from '../contracts/tool.ts';
import { createVault } from './create-vault.ts';
import { bareText, type MappedText } from './mapped-text.ts';
import { replaceFindings, scan } from './scan-text.ts';

/** All texts of a value, in their order. */
export function stringsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

/**
 * A text with stand-ins for secrets and personal data. Call it before a text is cut: half a key is
 * not recognised. Linear in the length of the text; a second call changes nothing.
 */
export function redact(text: string): string {
  const vault = createVault();
  vault.noteLookAlikes(text);
  return replaceFindings(text, scan(text), vault.standInOf);
}

/** So many successive letters and digits of a read text are a copy, not an accident. */
const minCopied = 24;
/** Pieces of read texts that are kept: one begins at every `step`, so every copy contains one. */
const pieceLength = 16;
const step = minCopied - pieceLength;

/** The texts read in a run, to see whether another text copies from them. */
export type CopyFinder = {
  add(text: string): void;
  /** whether these letters and digits contain a copy of a read text */
  holds(bare: string): boolean;
};

export function createCopyFinder(): CopyFinder {
  const texts: string[] = [];
  const pieces = new Set<string>();
  const isRead = (copy: string): boolean => texts.some((text) => text.includes(copy));
  return {
    add: (text) => {
      const bare = bareText(text);
      if (bare.length < minCopied) return;
      texts.push(bare);
      for (let at = 0; at + pieceLength <= bare.length; at += step)
        pieces.add(bare.slice(at, at + pieceLength));
    },
    holds: (bare) => {
      for (let at = 0; at + pieceLength <= bare.length; at += 1) {
        if (!pieces.has(bare.slice(at, at + pieceLength))) continue;
        for (let from = Math.max(0, at - step); from <= at; from += 1) {
          const copy = bare.slice(from, from + minCopied);
          if (copy.length === minCopied && isRead(copy)) return true;
        }
      }
      return false;
    },
  };
}

/** A number within a line. A longer one at the start of a line is the offset of a dump, no byte. */
const numbers = (digits: string): RegExp => new RegExp(String.raw`(?<!\w)${digits}(?!\w)`, 'gim');
const hexBytes = numbers('(?:(?<!^)(?:[0-9a-f]{2}){3,8}|(?:[0-9a-f]{2}){1,2})');

/** How programs show bytes: the form of a number, its base, and how many bytes it has. */
const codes: readonly { number: RegExp; radix: number; bytes?: 1 | 2 }[] = [
  { number: hexBytes, radix: 16 },
  { number: numbers('[0-3][0-7]{2}'), radix: 8, bytes: 1 },
  { number: numbers('[01][0-7]{5}'), radix: 8, bytes: 2 },
  { number: numbers(String.raw`\d{2,3}`), radix: 10, bytes: 1 },
  { number: numbers(String.raw`(?<!^)\d{4,5}`), radix: 10, bytes: 2 },
  { number: numbers('[01]{8}'), radix: 2, bytes: 1 },
];
const minBytes = 8;

/** The bytes that a text shows as numbers, as `xxd`, `od` and `hexdump` do, in both orders. */
export function readDumps(text: string): MappedText[] {
  return codes.flatMap(({ number, radix, bytes }) => {
    const found = [...text.matchAll(number)];
    if (found.length * 2 < minBytes) return [];
    const orders = radix === 16 || bytes === 2 ? [false, true] : [false];
    return orders.map((isTurned) => {
      const view = { text: '', start: [] as number[], end: [] as number[] };
      for (const { 0: shown, index } of found) {
        const size = bytes ?? shown.length / 2;
        const value = radix === 16 ? BigInt(`0x${shown}`) : BigInt(Number.parseInt(shown, radix));
        if (value >= 1n << BigInt(8 * size)) continue;
        const letters = Array.from({ length: size }, (_, at) =>
          String.fromCharCode(Number((value >> BigInt(8 * (size - 1 - at))) & 255n)),
        );
        view.text += (isTurned ? letters.reverse() : letters).join('');
        for (const _ of letters) {
          view.start.push(index);
          view.end.push(index + shown.length);
        }
      }
      return view;
    });
  });
}

/** Characters read in a run that addresses are compared with. */
const maxReadCharacters = 4_000_000;
/** Words without white space that are paths or long names rather than sentences. */
const longNames = /(?<!\S)[\w./@:~+-]{20,}(?!\S)/g;
const hostNames = /(?<![a-z0-9-])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+/gi;
/** `split` and `join` make one flat string; `replace` would keep all pieces in memory. */
const noSpaces = (text: string): string => text.split(/\s+/).join(' ');

/** The texts read in a run, to compare with a model's words. */
export type ReadTexts = {
  /**
   * @param isError the message of a failed tool, which repeats its input: its addresses do not
   *   count as read
   */
  remember(text: string, isError: boolean): void;
  /** Whether a read text holds an address that the model had not named before. */
  wasRead(url: string): boolean;
  /** Notes the text of a model's call, and hosts that it names before any read text does. */
  noteInvented(text: string): void;
  copies: ReturnType<typeof createCopyFinder>;
  /** as `copies`, without long names */
  sentences: ReturnType<typeof createCopyFinder>;
};

export function createReadTexts(): ReadTexts {
  /** texts that an address may be taken from, and how many calls were made before */
  const read: { text: string; calls: number }[] = [];
  const calls: string[] = [];
  const copies = createCopyFinder();
  const sentences = createCopyFinder();
  /** last two names of hosts in those texts, and of those that the model named before them */
  const sites = new Set<string>();
  const invented = new Set<string>();
  let readCharacters = 0;
  const remember = (text: string, isError: boolean): void => {
    if (readCharacters > maxReadCharacters) return;
    readCharacters += text.length;
    copies.add(text);
    sentences.add(text.replace(longNames, '\n'));
    // A tool that failed says again what it was called with.
    if (isError) return;
    read.push({ text: noSpaces(text), calls: calls.length });
    for (const [host] of text.matchAll(hostNames)) sites.add(siteOf(host));
  };
  const wasRead = (url: string): boolean => {
    const address = noSpaces(url);
    const first = calls.findIndex((call) => call.includes(address));
    const until = first < 0 ? calls.length : first;
    if (invented.has(siteOf(url))) return false;
    return read.some((each) => each.calls <= until && each.text.includes(address));
  };
  const noteInvented = (text: string): void => {
    // Beyond the limit nothing is read any more that a call could have named first.
    if (readCharacters <= maxReadCharacters) calls.push(noSpaces(text));
    readCharacters += text.length;
    for (const [host] of text.matchAll(hostNames)) {
      const site = siteOf(host);
      if (!sites.has(site)) invented.add(site);
    }
  };

  return { remember, wasRead, noteInvented, copies, sentences };
}

function siteOf(url: string): string {
  return hostOf(url.includes('//') ? url : `//${url}`).toLowerCase();
}

/**
 * The last two names of a host, or the beginning of an address without one. The rest is left out,
 * since it may hold the data that must not leave.
 */
export function hostOf(url: string): string {
  const [, place] =
    /^(?:(?:https?|ftp|wss?)(?:\\?:|&[#\w]{2,8};)[\\/]*|(?:[a-z0-9+.-]*(?:\\?:|&[#\w]{2,8};))?[\\/]+)([\s\S]*)$/i.exec(
      url,
    ) ?? [];
  const shown =
    place === undefined
      ? (/^[\w.+-]+@([\w.-]+)/.exec(url)?.[1] ?? url.replace(/[^a-z0-9+.-].*$/is, '').slice(0, 16))
      : (/^(?:[^/?#@]*@)?([^/\\?#:]*)/.exec(place)?.[1] ?? '');
  return shown.split('.').slice(-2).join('.').slice(0, 100);
}
