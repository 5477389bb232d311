/** What of the library is used; it comes without types. */
declare module '@npmcli/config' {
  export default class NpmConfig {
    constructor(options: {
      definitions: unknown;
      flatten: unknown;
      shorthands: unknown;
      npmPath: string;
      env: Readonly<Record<string, string | undefined>>;
      argv: readonly string[];
      cwd: string;
      warn: boolean;
    });
    loadDefaults(): void;
    loadCLI(): void;
    loadEnv(): void;
    loadUserConfig(): Promise<void>;
    loadGlobalConfig(): Promise<void>;
    readonly flat: Readonly<Record<string, unknown>>;
  }
}

declare module '@npmcli/config/lib/definitions/index.js' {
  const all: { definitions: unknown; flatten: unknown; shorthands: unknown };
  export default all;
}
