import { parse, stringify, TomlError } from 'smol-toml';
import * as v from 'valibot';
import { wrongOrigin } from '../contracts/capability.ts';
import { KernelError } from '../contracts/error.ts';
import type { Secret } from '../contracts/secrets.ts';
import { quoteText } from '../lib/text/escape.ts';

const fileName = 'secrets.toml';
const maxFileLength = 1024 * 1024;

/** Short ones cannot be told from other text when an answer is searched for them. */
const minValueLength = 8;
const maxValueLength = 4096;

/** The fault of a secret, without a word of its value. */
const nameForm = v.pipe(
  v.string('is not a string'),
  v.regex(
    /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
    'is not a name: letters, digits, "_", "." and "-", at most 64, as in API_TOKEN',
  ),
);
const valueForm = v.pipe(
  v.string('is not a string'),
  v.minLength(minValueLength, `has fewer than ${minValueLength} characters`),
  v.maxLength(maxValueLength, `has more than ${maxValueLength} characters`),
  v.regex(/^[\x20-\x7e]+$/, 'holds more than printable ASCII, and a header takes nothing else'),
  v.check((value) => value === value.trim(), 'begins or ends with a space'),
);
const originForm = v.pipe(
  v.string('is not a string'),
  v.rawCheck(({ dataset, addIssue }) => {
    const wrong = dataset.typed ? wrongOrigin(dataset.value) : undefined;
    if (wrong !== undefined) addIssue({ message: `is not an origin: ${wrong}` });
  }),
);

const secretForm = v.strictObject({
  name: nameForm,
  value: valueForm,
  origins: v.pipe(v.array(originForm, 'is not a list'), v.minLength(1, 'names no origin')),
});

/** The place of the values' key, and the check of a wrong key. */
const keyForm = v.strictObject({
  place: v.picklist(['keychain', 'passphrase'], 'is neither keychain nor passphrase'),
  id: v.pipe(v.string('is not a string'), v.regex(/^[\w-]{22}$/, 'is not an id')),
  check: v.string('is not a string'),
});
export type KeyEntry = v.InferOutput<typeof keyForm>;

const sealedForm = v.strictObject({
  name: nameForm,
  origins: secretForm.entries.origins,
  sealed: v.pipe(v.string('is not a string'), v.maxLength(2 * maxValueLength, 'is too long')),
});
/** A secret as the file holds it. */
export type SealedSecret = v.InferOutput<typeof sealedForm>;

const fileForm = v.strictObject({
  key: v.exactOptional(keyForm),
  secret: v.exactOptional(v.array(sealedForm, 'is not a list of [[secret]]')),
});
/** `secrets.toml`; where there is a secret, there is a key. */
export type SecretsText = { key?: KeyEntry; secrets: readonly SealedSecret[] };

/**
 * A secret as a person gives it.
 *
 * @throws {KernelError} `invalid-argument`, which names the field and never the value
 */
export function parseSecret(given: Secret): Secret {
  const parsed = v.safeParse(secretForm, given, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const [field, entry] = issue.path ?? [];
  const origin = entry === undefined ? '' : ` ${quoteText(String(entry.value))}`;
  const what = { name: 'the name of a secret', value: 'the value', origins: `--for${origin}` };
  throw new KernelError(
    'invalid-argument',
    `${what[field?.key as keyof Secret] ?? 'the secret'} ${issue.message}`,
    {
      hint: 'Set it with: cuervo secret set NAME --for https://HOST, the value on standard input.',
    },
  );
}

/**
 * `secrets.toml`.
 *
 * @throws {KernelError} `invalid-argument` with the entry and its field, and nothing of a value
 */
export function parseSecretsFile(text: string): SecretsText {
  if (text.length > maxFileLength) {
    throw invalid(`${fileName} has ${text.length} characters, limit ${maxFileLength}`);
  }
  const parsed = v.safeParse(fileForm, parseToml(text), { abortEarly: true });
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const place = (issue.path ?? []).map((part) => String(part.key)).join('.');
    const what =
      issue.type === 'strict_object' ? 'is not a field, or one is missing' : issue.message;
    throw invalid(`${fileName}: ${place} ${what}`);
  }
  const { key, secret: secrets = [] } = parsed.output;
  const names = secrets.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`${fileName} holds the secret ${twice} twice`);
  if (key === undefined && secrets.length > 0) throw invalid(`${fileName} names no key`);
  return { ...(key === undefined ? {} : { key }), secrets };
}

/** The file; comments that stood in it are not kept. */
export function formatSecretsFile({ key, secrets }: SecretsText): string {
  const head =
    '# Secrets that plugins may name and never see, sealed, each for its own origins.\n' +
    '# cuervo secret set, list and remove change them; an entry changed by hand does not open.\n';
  if (key === undefined || secrets.length === 0) return head;
  return `${head}\n${stringify({ key, secret: secrets })}`;
}

function parseToml(text: string): unknown {
  try {
    return parse(text);
  } catch (thrown) {
    // The library's own message quotes the line.
    const line = thrown instanceof TomlError ? ` line ${thrown.line}` : '';
    throw invalid(`${fileName}${line} is not TOML`);
  }
}

function invalid(message: string): KernelError {
  return new KernelError('invalid-argument', message, {
    hint: `Fix or remove the entry in ${fileName}; until then no secret is sent.`,
  });
}
