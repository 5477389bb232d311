/** What git needs to log in to one address. */
export type GitCredential = { username: string; password: string };

/**
 * Variables by which git sends a credential to one origin and to no other, also where it is
 * redirected. They are not on a command line, which everybody on the machine can read.
 */
export function credentialVariables(
  { origin }: URL,
  { username, password }: GitCredential,
): Record<string, string> {
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}
