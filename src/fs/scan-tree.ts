import { decodeText } from '../lib/text/decode-text.ts';
import { fsLimits } from '../paths/fs-limits.ts';
import { HostFailure } from '../paths/host-failure.ts';
import { showPath } from '../paths/parse-path.ts';
import { checkNumber } from './check-number.ts';
import { compilePattern, type LinePattern, patternFailure } from './compile-pattern.ts';
import { createPrefilter } from './create-prefilter.ts';
import type { ScanMatch, ScanOptions, ScanResult } from './fs-types.ts';
import { type LineMatch, matchLines } from './match-lines.ts';
import { createContentReader } from './read-content.ts';
import type { SearchPlace } from './search-place.ts';
import type { ScanSide } from './split-scan.ts';
import { visitTree } from './visit-tree.ts';
import { workWithin } from './work-within.ts';

/** In one file, for a pattern that can only be matched by trying. */
const maxTryingMs = 2000;

const bothSides: ScanSide = { looksInto: () => true, takes: () => true };

/**
 * The lines that match in the text files below a place: what `grep` prints. Files that hold
 * a NUL are binary and skipped, as are those over 50 MiB; bytes that are not UTF-8 count as
 * U+FFFD.
 *
 * @param side which of them are looked into; all are when absent
 * @throws {HostFailure} `invalid` or `limit` for the options
 */
export function scanTree(
  place: SearchPlace,
  options: ScanOptions,
  side: ScanSide = bothSides,
): ScanResult {
  const limit = checkNumber('limit', options.limit, 1, fsLimits.matches);
  const context = {
    before: checkNumber('before', options.before, 0, fsLimits.contextLines),
    after: checkNumber('after', options.after, 0, fsLimits.contextLines),
  };
  const pattern = compilePattern(options);
  using reader = createContentReader(place);
  const result: ScanResult = {
    matches: [],
    filesScanned: 0,
    bytesScanned: 0,
    truncated: false,
  };
  const prefilter = createPrefilter(pattern.needles);
  let skipped: ScanResult['unsearched'];
  let charactersLeft: number = fsLimits.scanCharacters;

  function keep(path: string, match: LineMatch): boolean {
    const named = { path: place.shownPath(path), ...match };
    charactersLeft -= charactersOf(named);
    result.truncated = result.matches.length === limit || charactersLeft < 0;
    if (result.truncated) result.unsearched = { reason: 'matches', path: named.path };
    else result.matches.push(named);
    return !result.truncated;
  }

  function scanFile(path: string, text: string): void {
    let isText = false;
    try {
      const search = () =>
        matchLines(text, pattern, context, (match) => {
          // Looked at only where something was found: most files hold no match.
          isText ||= !text.includes('\0');
          return isText && keep(path, match);
        });
      if (!pattern.isTried) search();
      else if (!workWithin(maxTryingMs, search))
        throw endless(options.pattern, place.shownPath(path));
    } catch (thrown) {
      if (thrown instanceof SyntaxError) throw patternFailure(options.pattern, thrown);
      if (!(thrown instanceof RangeError)) throw thrown;
      requireStack(pattern);
      // One file takes no other along.
      skipped ??= { reason: 'file', path: place.shownPath(path) };
    }
  }

  const cut = visitTree({
    ...place,
    maxEntries: Number.MAX_SAFE_INTEGER,
    options: options.walk,
    looksInto: side.looksInto,
    visit: (folder, name, path, kind) => {
      if (kind !== 'file') return true;
      if (!side.takes(folder, path) || place.isWithheld(path)) return true;
      const length = reader.read(folder, name);
      if (length < 0) return true;
      result.filesScanned += 1;
      result.bytesScanned += length;
      if (prefilter(reader.buffer, length)) scanFile(path, decodeText(reader.buffer, length));
      return !result.truncated;
    },
  });
  const end = cut === undefined ? skipped : { ...cut, path: place.shownPath(cut.path) };
  if (end === undefined) return result;
  return { ...result, truncated: true, unsearched: result.unsearched ?? end };
}

/** The characters that a match takes of a scan's limit. */
export function charactersOf(match: ScanMatch): number {
  const lines = [match.path, match.text, ...match.before, ...match.after];
  return lines.reduce((sum, line) => sum + line.length, 0);
}

function endless(pattern: string, path: string): HostFailure {
  const text = `pattern ${showPath(pattern)} found no end in ${showPath(path)} within ${maxTryingMs} ms: it repeats, and with look-around ((?=, (?!, (?<=, (?<!), a backreference, a modifier or a count above 16 it is matched by trying. Write it without these, then it is matched in linear time, and look at what it finds`;
  return new HostFailure('invalid', text);
}

/** @throws {HostFailure} `limit` for a pattern that needs too much stack in every file */
function requireStack({ finder }: LinePattern): void {
  try {
    finder.lastIndex = 0;
    finder.exec('');
  } catch {
    throw new HostFailure('limit', 'the pattern needs more stack than there is');
  }
}
