import { createCopyFinder } from './create-copy-finder.ts';

/** Characters read in a run that addresses are compared with. */
const maxReadCharacters = 4_000_000;
/** Words without white space that are paths or long names rather than sentences. */
const longNames = /(?<!\S)[\w./@:~+-]{20,}(?!\S)/g;
const hostNames = /(?<![a-z0-9-])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+/gi;
/** Joined, which is one text; one that is made by replacing is kept as all of its pieces. */
const noSpaces = (text: string): string => text.split(/\s+/).join(' ');

/** The texts read in a run, to compare with a model's words. */
export type ReadTexts = {
  /** @param isError a tool that failed says again what it was called with: no address is taken of it */
  remember(text: string, isError: boolean): void;
  /** Whether an address stands in what was read, and was not named by the model first. */
  wasRead(url: string): boolean;
  /** Notes what a model says in a call, and the hosts that it names before anything read does. */
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
 * The last two names of a host, or the begin of a scheme that has none: what stands beside them may
 * be what was to be carried away.
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
