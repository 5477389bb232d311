import {
  type CapabilityName,
  capabilities,
  capabilityNames,
  grantDetail,
} from '../../src/contracts/capabilities.ts';
import { camelCase } from '../../src/lib/text/words.ts';

/** One place that has to know a capability beside its row, where the compiler cannot say so. */
export type Registration = {
  path(name: CapabilityName): string;
  /** what the file must hold: all of it */
  holds(name: CapabilityName): readonly string[];
  /** what to do when it does not */
  fix(name: CapabilityName): string;
};

const callsOf = (name: CapabilityName): string[] => Object.keys(capabilities[name].calls);

/** `fs:ROOT`, `kv`: how a page shows its grant. */
function formOf(name: CapabilityName): string {
  const detail = grantDetail(name);
  return detail === undefined ? name : `${name}:${detail.placeholder}`;
}

export const registrations: readonly Registration[] = [
  {
    path: () => 'wit/host/host.wit',
    holds: (name) => [`\ninterface ${name} {`, ...callsOf(name).map((call) => `${call}: func(`)],
    fix: (name) => `declare the interface ${name} with its calls`,
  },
  {
    path: (name) => `sdk/host/${name}.ts`,
    holds: (name) => [
      `'cuervo:host/${name}@0.1.0'`,
      ...callsOf(name).map((call) => `host.${camelCase(call)}(`),
    ],
    fix: (name) => `write the SDK's face of ${name}: one function for each call`,
  },
  {
    path: () => 'sdk/index.ts',
    holds: (name) => [`export * as ${camelCase(name)} from './host/${name}.ts';`],
    fix: (name) => `export the SDK's face of ${name}`,
  },
  {
    path: () => 'sdk/gen/capabilities.ts',
    holds: (name) => [`\n  '${name}',`],
    fix: () => 'run npm run gen',
  },
  {
    path: () => 'docs/plugins.md',
    holds: (name) => [`\n| \`${formOf(name)}\` |`],
    fix: (name) => `say in the table of grants what ${formOf(name)} gives`,
  },
];

/**
 * What a row of `src/contracts/capabilities.ts` still needs, one sentence each.
 *
 * @param textOf text of a file of the repository; undefined where there is none
 */
export function missingRegistrations(textOf: (path: string) => string | undefined): string[] {
  return capabilityNames.flatMap((name) =>
    registrations.flatMap(({ path, holds, fix }) => {
      const text = textOf(path(name)) ?? '';
      return holds(name).every((part) => text.includes(part))
        ? []
        : [`${path(name)} misses ${name}: ${fix(name)}`];
    }),
  );
}
