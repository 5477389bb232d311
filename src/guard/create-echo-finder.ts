import { echoTexts } from '../lib/echo-texts.ts';

/** Of one run. Who puts more into its texts is not after a secret, but after time. */
const maxSecrets = 300;
/** A line of a key block is told by itself from here on. */
const minLineLength = 32;

type Form = { form: string; kind: string };

/** Finds secrets of a run again, in the forms in which somebody is likely to write them. */
export type EchoFinder = {
  add(kind: string, value: string): void;
  /** longest first */
  forms(): readonly Form[];
};

export function createEchoFinder(): EchoFinder {
  const known = new Set<string>();
  let forms: Form[] = [];
  let isSorted = true;
  return {
    add: (kind, value) => {
      if (known.has(value) || known.size >= maxSecrets) return;
      known.add(value);
      const isBlock = /\s/.test(value);
      const parts = isBlock
        ? value.split(/\s+|\\n/).filter(({ length }) => length >= minLineLength)
        : [value];
      for (const part of parts) for (const form of echoTexts(part)) forms.push({ form, kind });
      isSorted = false;
    },
    forms: () => {
      if (!isSorted) forms = forms.toSorted((one, other) => other.form.length - one.form.length);
      isSorted = true;
      return forms;
    },
  };
}

/** @returns the text without the forms, and how many secrets of each kind stood in it */
export function withoutEcho(
  text: string,
  forms: readonly Form[],
): { text: string; counts: Record<string, number> } {
  let result = text;
  const counts: Record<string, number> = {};
  for (const { form, kind } of forms) {
    if (!result.includes(form)) continue;
    result = result.replaceAll(form, `[redacted: ${kind}]`);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return { text: result, counts };
}
