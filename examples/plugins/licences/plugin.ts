import { definePlugin, fs, v } from '@cuervo/sdk';

type Found = { name: string; version: string; licence: string };

const unknown = 'unknown';

export default definePlugin({
  name: 'licences',
  version: '0.1.0',
  description: 'Lists the licences of the installed npm dependencies of a project.',
  licence: 'Apache-2.0',
  wants: [{ capability: 'fs', why: 'reads package.json of each package in node_modules' }],
  tools: [
    {
      name: 'list',
      description:
        'Licences of all packages in node_modules, counted, with the packages of each licence.',
      effect: 'read',
      input: v.object({
        folder: v.optional(v.pipe(v.string(), v.description('that holds node_modules')), ''),
        only: v.optional(
          v.pipe(v.string(), v.description('licences whose name holds this, e.g. GPL')),
        ),
      }),
      examples: [{}, { only: 'GPL' }],
      run: ({ folder, only = '' }) => {
        const all = packagesIn(folder);
        const found = all.filter(({ licence }) =>
          licence.toLowerCase().includes(only.toLowerCase()),
        );
        const groups = Map.groupBy(found, ({ licence }) => licence);
        const licences = [...groups]
          .map(([licence, members]) => ({
            licence,
            packages: members.map(({ name, version }) => `${name}@${version}`).sort(),
          }))
          .sort(
            (one, other) =>
              other.packages.length - one.packages.length || (one.licence < other.licence ? -1 : 1),
          );
        const missing = groups.get(unknown)?.length ?? 0;
        const also = missing === 0 ? '' : `, ${missing} without one`;
        return {
          content: { packages: found.length, licences },
          summary: `${found.length} packages, ${licences.length} licences${also}`,
        };
      },
    },
  ],
});

function packagesIn(folder: string): Found[] {
  const below =
    folder === '' ? 'work:node_modules' : `work:${folder.replace(/\/$/, '')}/node_modules`;
  const entries = fs.walk(below, {
    include: ['**/package.json'],
    ignoreFiles: false,
    hidden: true,
    maxDepth: 6,
  });
  return entries
    .filter(({ path }) => /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path))
    .flatMap(({ path }) => read(path));
}

function read(path: string): Found[] {
  let manifest: Record<string, unknown>;
  try {
    manifest = JSON.parse(fs.readText(path).text);
  } catch {
    return [];
  }
  const { name, version, license, licenses } = manifest;
  if (typeof name !== 'string') return [];
  return [{ name, version: String(version ?? '0.0.0'), licence: licenceOf(license ?? licenses) }];
}

/** Old packages have an object or a list of them. */
function licenceOf(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  if (Array.isArray(value)) return value.map(licenceOf).join(' OR ') || unknown;
  const { type } = Object(value) as { type?: unknown };
  return typeof type === 'string' ? type : unknown;
}
