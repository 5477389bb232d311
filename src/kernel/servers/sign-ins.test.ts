import { expect, it } from 'vitest';
import { withoutSignIns } from './sign-ins.ts';

it('withoutSignIns() gives plugins the secrets that a person set, and no sign-in', () => {
  const secrets = {
    has: () => true,
    unlock: async () => {},
    find: (name: string) => ({ name, value: 'v', origins: ['https://example.org'] }),
  };
  const given = withoutSignIns(secrets);
  for (const name of ['API_TOKEN', 'mcp.token', 'mcp_docs_token']) {
    expect(given.has(name), name).toBe(true);
    expect(given.find(name)?.value).toBe('v');
  }
  for (const name of ['mcp.docs.token', 'mcp.docs.login', 'mcp.a.b.token']) {
    expect(given.has(name), name).toBe(false);
    expect(given.find(name)).toBeUndefined();
  }
});
