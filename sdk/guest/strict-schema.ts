import * as v from 'valibot';
import { isSchema, type Part } from './schema-part.ts';
import { fieldsOf, refuseOthers } from './unknown-fields.ts';

/** `shared`: others take fields of the same object, as the options of `v.intersect` do. */
type Way = 'closed' | 'shared';

/**
 * The schema of an input with every object in it refusing the fields that it does not name:
 * valibot's `object` drops them, and a misspelt option must not pass in silence. What takes others,
 * such as `looseObject` or `record`, does so still, and what a pipe does behind its first schema
 * is the author's.
 *
 * @returns a copy where there is such an object: the author may use the own one elsewhere
 * @throws {RangeError} for one that holds itself without `v.lazy`
 */
export function strictSchema(schema: v.GenericSchema): v.GenericSchema {
  const made = { closed: new Map<Part, Part>(), shared: new Map<Part, Part>() };
  return strict(schema as unknown as Part, 'closed', made) as unknown as v.GenericSchema;
}

/** @param made the copy of each part: one that holds itself has one copy at every depth */
function strict(part: Part, way: Way, made: Readonly<Record<Way, Map<Part, Part>>>): Part {
  const before = made[way].get(part);
  if (before !== undefined) return before;
  const copy = { ...part };
  let isChanged = false;
  for (const [name, held] of Object.entries(part)) {
    const inner = wayOf(part, name, way);
    const mapped = mapHeld(name, held, (one) => (isSchema(one) ? strict(one, inner, made) : one));
    if (mapped === held) continue;
    Object.assign(copy, { [name]: mapped });
    isChanged = true;
  }
  // Leave out fallbacks: their `~run` is bound to the original schema.
  const isPipe = copy.pipe !== undefined && !('fallback' in part);
  if (isPipe && isChanged)
    copy['~run'] = v.pipe(...(copy.pipe as [v.GenericSchema]))['~run'] as unknown as Part['~run'];
  const isClosed = way === 'closed' && (part.type === 'object' || part.type === 'intersect');
  const fields = isClosed && !isPipe ? fieldsOf(copy) : undefined;
  const result = fields !== undefined ? refuseOthers(copy, fields) : isChanged ? copy : part;
  made[way].set(part, result);
  return result;
}

/** Fields of the same object stand in what is wrapped, in options and at the start of a pipe. */
function wayOf(part: Part, name: string, way: Way): Way {
  if (name === 'options' && part.type === 'intersect') return 'shared';
  return ['options', 'wrapped', 'pipe', 'getter'].includes(name) ? way : 'closed';
}

type Change = (one: unknown) => unknown;

/** @returns `held` itself where nothing in it changes */
function mapHeld(name: string, held: unknown, change: Change): unknown {
  if (name === 'getter') return (input: unknown) => change((held as Change)(input));
  if (name === 'entries') return mapEntries(held as Record<string, unknown>, change);
  if (!Array.isArray(held)) return change(held);
  const mapped = held.map((one, index) => (name === 'pipe' && index > 0 ? one : change(one)));
  return mapped.every((one, index) => one === held[index]) ? held : mapped;
}

/** As valibot reads them: what the entries inherit counts, too. */
function mapEntries(entries: Readonly<Record<string, unknown>>, change: Change): unknown {
  const mapped: [string, unknown][] = [];
  let isChanged = false;
  for (const name in entries) {
    const entry = entries[name];
    const one = change(entry);
    isChanged ||= one !== entry;
    mapped.push([name, one]);
  }
  return isChanged ? Object.fromEntries(mapped) : entries;
}
