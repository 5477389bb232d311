import type { GrantsFile } from '../../consent/grants.ts';
import type { Grant } from '../../contracts/capability.ts';
import type { ListedPlugin } from '../../contracts/output/parse-plugin-output.ts';
import { nobody } from '../../contracts/plugins.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import type { PluginStore } from '../../host/install/plugin-store.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import { escapeText } from '../../lib/text/printable.ts';
import { formatGrant } from '../../policy/parse-grant.ts';
import { isExpired } from '../../policy/parse-grants-file.ts';
import { shippedGrants } from '../consent/grant-commands.ts';

/** The built-in plugins and those that are installed, each with what it holds. */
export function listPlugins({
  builtins,
  installed,
  grants,
}: {
  builtins: PluginStore;
  installed: PluginStore;
  grants: GrantsFile;
}): ListedPlugin[] {
  const held = grants.reading();
  return [
    ...builtins
      .list()
      .map((record) =>
        listed(record, [
          ...shippedGrants({ record }).map(({ grant }) => grant),
          ...held(record.name, record.sha256).map(formatGrant),
        ]),
      ),
    ...installed
      .list()
      .map((record) => listed(record, held(record.name, record.sha256).map(formatGrant))),
  ];
}

/** The grants of a binary, also those for one workspace, which is then named. */
export function heldTexts(
  { name, sha256: digest }: PluginRecord,
  grants: GrantsFile,
  clock: Clock,
  isMeant: (grant: Grant) => boolean = () => true,
): string[] {
  return grants
    .entries()
    .filter((entry) => entry.plugin === name && entry.digest === digest)
    .filter((entry) => !isExpired(entry, clock.nowMs()))
    .flatMap(({ capabilities, project }) => {
      const place = project === undefined ? '' : ` in ${escapeText(project)}`;
      return capabilities.filter(isMeant).map((grant) => `${formatGrant(grant)}${place}`);
    });
}

function listed(record: PluginRecord, held: string[]): ListedPlugin {
  return {
    name: record.name,
    version: record.version,
    sha256: record.sha256,
    capabilities: record.wants.map((want) => want.capability),
    grants: held,
    tools: record.tools.map((tool) => `${record.name}.${tool.name}`),
    source: record.source,
    ...(record.resolved === undefined ? {} : { resolved: record.resolved }),
    identity: record.identity ?? nobody,
    description: record.description,
    ...(record.licence === undefined ? {} : { licence: record.licence }),
    ...(record.homepage === undefined ? {} : { homepage: record.homepage }),
    ...(record.publishedAs === undefined ? {} : { publishedAs: record.publishedAs }),
  };
}
