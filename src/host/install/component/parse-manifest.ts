import * as v from 'valibot';
import { capabilityNames } from '../../../contracts/capabilities.ts';
import type { Manifest } from '../../../contracts/capability.ts';
import { effects, isObject, type JsonObject } from '../../../contracts/tool.ts';
import { firstUnprintable, quoteText } from '../../../lib/text/printable.ts';
import { fault } from './byte-reader.ts';
import { parseJsonObject } from './parse-json.ts';

/** Custom section of a component that holds its manifest as UTF-8 JSON. */
export const manifestSectionName = 'cuervo:plugin';

const maxManifestBytes = 64 * 1024;

/** No limit allows a call more. */
const mostHostCalls = 1_000_000;

/** https://semver.org/#is-there-a-suggested-regular-expression-regex-to-check-a-semver-string */
const semver =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

const printable = (maxLength: number) =>
  v.pipe(
    v.string('is not a string'),
    v.minLength(1, 'is empty'),
    v.maxLength(maxLength, ({ input }) => `has ${input.length} characters, limit ${maxLength}`),
    v.check(
      (text) => firstUnprintable(text) === undefined,
      ({ input }) => `holds the unprintable character ${firstUnprintable(`${input}`)}`,
    ),
  );

const jsonObject = v.custom<JsonObject>(isObject, 'is not an object');

/** The other checks of a tool are those of `describe()`. */
const toolSchema = v.strictObject(
  {
    name: printable(64),
    description: v.exactOptional(v.string('is not a string')),
    effect: v.exactOptional(
      v.picklist(
        effects,
        ({ received }) =>
          `is ${quoteText(received.replace(/^"|"$/g, ''))}, not one of ${effects.join(', ')}`,
      ),
    ),
    input: v.exactOptional(jsonObject),
    output: v.exactOptional(jsonObject),
    examples: v.exactOptional(v.array(jsonObject, 'is not a list')),
  },
  notAnObject,
);

const unicodeOf = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const manifestSchema = v.strictObject(
  {
    name: v.pipe(
      printable(64),
      v.regex(
        /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
        // Letters of other alphabets look like those that are allowed.
        ({ input }) =>
          `is ${quoteText(input).replace(/[^ -~…]/g, unicodeOf)}, not a name like "word-count"`,
      ),
    ),
    version: v.pipe(
      printable(64),
      v.regex(semver, ({ input }) => `is ${quoteText(input)}, not a version like "0.1.0"`),
    ),
    description: printable(500),
    licence: v.exactOptional(printable(100)),
    homepage: v.exactOptional(
      v.pipe(
        printable(500),
        v.check(isWebPage, ({ input }) => `is ${quoteText(input)}, not an https address`),
      ),
    ),
    wants: v.pipe(
      v.array(
        v.strictObject(
          {
            capability: v.picklist(
              capabilityNames,
              ({ received }) =>
                `is ${quoteText(received.replace(/^"|"$/g, ''))}, not one of ${capabilityNames.join(', ')}`,
            ),
            why: printable(200),
          },
          notAnObject,
        ),
        'is not a list',
      ),
      v.checkItems(
        ({ capability }, index, wants) =>
          wants.findIndex((want) => want.capability === capability) === index,
        'names a capability a second time',
      ),
    ),
    limits: v.exactOptional(
      v.strictObject(
        {
          hostCalls: v.exactOptional(
            v.pipe(
              v.number('is not a number'),
              v.integer('is not a whole number'),
              v.minValue(1, 'is less than 1'),
              v.maxValue(mostHostCalls, `is above ${mostHostCalls}`),
            ),
          ),
        },
        notAnObject,
      ),
    ),
    tools: v.exactOptional(v.array(toolSchema, 'is not a list')),
  },
  notAnObject,
);

/**
 * @param bytes contents of the section `cuervo:plugin`: UTF-8 JSON, at most 64 KiB
 * @throws {KernelError} `plugin-fault` with the path of the first bad field
 */
export function parseManifest(bytes: Uint8Array): Manifest {
  if (bytes.length > maxManifestBytes) {
    throw fault(`manifest has ${bytes.length} bytes, limit ${maxManifestBytes}`);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw fault('manifest is not UTF-8');
  }
  const parsed = v.safeParse(manifestSchema, parseJsonObject(text, 'manifest', maxManifestBytes), {
    abortEarly: true,
    abortPipeEarly: true,
  });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw fault(`${pathOf('manifest', issue)} ${issue.message}`);
}

/** `manifest.wants[1].why`, escaped: a key is a stranger's text too. */
function pathOf(root: string, issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map(({ key }) =>
    typeof key === 'number' ? `[${key}]` : `.${quoteText(`${key}`, 64).slice(1, -1)}`,
  );
  return root + keys.join('');
}

/** valibot reports a missing key, an unknown key and a value that is not an object alike. */
function notAnObject(issue: { expected: string | null; received: string }): string {
  if (issue.expected === 'never') return 'is not a field of a manifest';
  return issue.received === 'undefined' ? 'is missing' : 'is not an object';
}

function isWebPage(text: string): boolean {
  if (!/^https:\/\/[\x21-\x7e]+$/.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}
