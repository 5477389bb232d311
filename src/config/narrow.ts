import { type PersonalKind, type PrivacySettings, personalKinds } from '../contracts/config.ts';

/** A key that would give a project more than there is. */
export type Ignored = { key: string; wanted: number; held: number };

/**
 * The smaller of each two values. A project lowers limits and never raises one: a raised limit has
 * no effect and is reported.
 *
 * @param names of the keys in the file, for the report
 */
export function narrow<Values extends Readonly<Record<string, number>>>(
  held: Values,
  wanted: Readonly<Partial<Record<keyof Values, number>>>,
  names: Readonly<Partial<Record<keyof Values, string>>>,
): { values: Values; ignored: Ignored[] } {
  const values: Record<string, number> = { ...held };
  const ignored: Ignored[] = [];
  for (const [name, limit] of Object.entries(held)) {
    const asked = wanted[name];
    if (asked === undefined) continue;
    if (asked > limit) ignored.push({ key: names[name] ?? name, wanted: asked, held: limit });
    else values[name] = asked;
  }
  return { values: values as Values, ignored };
}

/** `privacy` as both files have it. */
export type PrivacyFile = {
  'personal-data'?: PrivacySettings['personalData'] | undefined;
  send?: readonly PersonalKind[] | undefined;
};

/**
 * The data that both files let leave. A file lists kinds in `send`, or all of them by
 * `personal-data`. A project without the table changes nothing.
 *
 * @returns also the project's wishes that have no effect, as written in its file
 */
export function narrowPrivacy(
  own: PrivacyFile,
  project: PrivacyFile | undefined,
): { privacy: PrivacySettings; ignored: string[] } {
  const held = { personalData: own['personal-data'] ?? 'withhold', send: own.send ?? [] };
  if (project === undefined || Object.keys(project).length === 0) {
    return { privacy: held, ignored: [] };
  }
  const sent = new Set(kindsOf(own));
  const wanted = kindsOf(project);
  const refused = (project.send ?? []).filter((kind) => !sent.has(kind));
  const isAllRefused = project['personal-data'] === 'send' && sent.size < personalKinds.length;
  const isAll = [held.personalData, project['personal-data']].every((said) => said === 'send');
  return {
    privacy: isAll
      ? held
      : { personalData: 'withhold', send: wanted.filter((kind) => sent.has(kind)) },
    ignored: [
      ...(isAllRefused ? ['privacy.personal-data "send"'] : []),
      ...refused.map((kind) => `privacy.send "${kind}"`),
    ],
  };
}

function kindsOf(file: PrivacyFile): readonly PersonalKind[] {
  return file['personal-data'] === 'send' ? personalKinds : (file.send ?? []);
}
