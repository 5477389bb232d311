import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { obeyedNames, runNames, secretNames, sharedNames } from './name-lists.ts';
import { isProtectedPath, runnerOf } from './protected-names.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/names.md'), 'utf8');
const withheld = [...secretNames, ...obeyedNames];
const run = runNames.flatMap(({ names }) => names);
/** A path that the name stands for. */
const sample = (name: string): string => `some/${name.replaceAll('*', 'x')}`;

describe('the lists of names', () => {
  it('stand on the page that explains them', () => {
    expect([...withheld, ...run].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('are in lower case, and hold each name once', () => {
    const all = [...withheld, ...run];
    expect(all.filter((name) => name !== name.toLowerCase())).toEqual([]);
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  });

  it('withhold each name and what lies below it', () => {
    const paths = withheld.flatMap((name) => [sample(name), `${sample(name)}/below`]);
    expect(paths.filter((path) => !isProtectedPath(path))).toEqual([]);
  });

  // As Docker Compose, Wrangler, Azure Functions, Yarn, Google Cloud and JOSE call them.
  it.each([
    ...['prod.env', 'deploy/.dev.vars', '.dev.vars.staging', 'local.settings.json', '.yarnrc.yml'],
    ...['a.jwk', 'my-service-account-key.json', 'app-credentials.json', 'gcp-key.json'],
    ...['PROD.ENV', 'prod.env.bak', 'prod copy.env', 'infra/terraform.tfvars.json'],
  ])('withhold %j', (path) => {
    expect(isProtectedPath(path)).toBe(true);
  });

  it.each([
    ...sharedNames,
    ...['docs/Example.env', 'example.env.bak', 'env.ts', 'settings.json', 'jwks.json'],
    ...['credentials.ts', 'dev.vars.md', 'service-accounts.md'],
  ])('leave %j to be read', (path) => {
    expect(isProtectedPath(path)).toBe(false);
  });

  it('ask about each name that is run and not withheld', () => {
    expect(run.filter((name) => isProtectedPath(sample(name)))).toEqual([]);
    expect(run.filter((name) => runnerOf(sample(name)) === undefined)).toEqual([]);
  });
});
