import { SourceMap, type SourceMapPayload } from 'node:module';
import { inflateRawSync } from 'node:zlib';
import { escapeText } from '../../lib/text/printable.ts';
import { readBinary } from '../install/component/read-component.ts';

/** Custom section of a component with its source map, deflated. */
const sectionName = 'cuervo:source-map';
/** Limit of a decoded source map. */
const maxMapBytes = 64 * 1024 * 1024;
const maxFileCharacters = 200;
/** A column after the end of every line of a bundle. */
const lineEnd = 1_000_000;

/** The SDK adds this after the message of an unexpected error. */
const marker = / \[bundle ((?:\d+:\d+ ?)+)\]$/;

/**
 * Turns places of the bundle in a message into source lines: of the error's origin, and of the
 * author's line that led there. Without a map, as in a release, the message has no place.
 *
 * @param readComponent the binary that was installed, or undefined where it cannot be read
 */
export function sourceMapStack(
  message: string,
  readComponent: () => Uint8Array | undefined,
): string {
  const found = marker.exec(message);
  if (found === null) return message;
  const plain = message.slice(0, found.index);
  const places = placesIn(readComponent, (found[1] ?? '').trim().split(' '));
  const [first] = places;
  if (first === undefined) return plain;
  const own = places.find(({ file }) => !file.startsWith('node_modules/'));
  const shown = [first, ...(own === undefined || own === first ? [] : [own])].map(
    ({ file, line }) => `${file}:${line}`,
  );
  return `${plain} (at ${shown.join(', called at ')})`;
}

type Place = { file: string; line: number };

/** The map is a stranger's: a wrong one counts as a missing one. */
function placesIn(readComponent: () => Uint8Array | undefined, places: readonly string[]): Place[] {
  try {
    const component = readComponent();
    const map = component === undefined ? undefined : mapOf(component);
    if (map === undefined) return [];
    return places.flatMap((at) => placeIn(map, at)).filter(({ file }) => !file.startsWith('sdk/'));
  } catch {
    return [];
  }
}

function placeIn(map: SourceMap, at: string): Place[] {
  const [line = 1, column = 1] = at.split(':').map(Number);
  let entry = map.findEntry(line - 1, column - 1);
  // Before the first entry of a line, `findEntry` returns the last one of an earlier line.
  if ('generatedLine' in entry && entry.generatedLine < line - 1) {
    entry = map.findEntry(line - 1, lineEnd);
  }
  if (!('originalSource' in entry) || typeof entry.originalSource !== 'string') return [];
  const file = escapeText(entry.originalSource).slice(0, maxFileCharacters);
  return [{ file, line: entry.originalLine + 1 }];
}

function mapOf(component: Uint8Array): SourceMap | undefined {
  const section = readBinary(component).customSections.findLast(({ name }) => name === sectionName);
  if (section === undefined) return undefined;
  const packed = component.subarray(section.offset, section.offset + section.length);
  const json = inflateRawSync(packed, { maxOutputLength: maxMapBytes }).toString('utf8');
  return new SourceMap(JSON.parse(json) as SourceMapPayload);
}
