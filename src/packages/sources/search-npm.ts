import type { SourceAccess } from './fetch-plugin.ts';
import { npmCredential, registryOf } from './npm-settings.ts';
import { type FoundPackage, parseSearch } from './parse-npm.ts';

const maxBytes = 8 * 1024 * 1024;
const maxFound = 100;

/** Packages of the registry with the keyword of plugins; every text of them is a stranger's. */
export async function searchNpm(
  words: readonly string[],
  { web, registry, signal }: SourceAccess,
): Promise<(FoundPackage & { source: string; from: string })[]> {
  const home = registryOf('x', registry);
  const what = 'the search of npm';
  const ask = async (text: string): Promise<FoundPackage[]> => {
    const url = new URL('-/v1/search', home);
    url.searchParams.set('text', text);
    url.searchParams.set('size', String(maxFound));
    const answer = await web.send({
      ...{ url, what, maxBytes, signal },
      accept: 'application/json',
      headers: (to) => (to.host === home.host ? npmCredential(to, registry) : {}),
    });
    return parseSearch(answer.body, what, home.origin);
  };
  let found = await ask(['keywords:cuervo-plugin', ...words].join(' '));
  // Other registries than npm's own look for words alone; the keyword is looked at here, too.
  if (found.length === 0 && words.length > 0) found = await ask(words.join(' '));
  const wanted = words.map((word) => word.toLowerCase());
  return found
    .filter(({ name, description }) => {
      // Some registries do not filter by words where a keyword is named.
      const text = `${name} ${description}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .map((each) => ({ ...each, source: `npm:${each.name}`, from: home.origin }));
}
