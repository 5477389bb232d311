/** A value that plugins name and never see. */
export type Secret = {
  name: string;
  /** printable ASCII: it stands in a header */
  value: string;
  /** where it may be sent, each as `URL.origin` writes it; never empty */
  origins: readonly string[];
};

export type Secrets = {
  has(name: string): boolean;
  /**
   * Makes the values readable to this process, once; a person may be asked.
   *
   * @throws {KernelError} when they stay sealed
   */
  unlock(signal: AbortSignal): Promise<void>;
  /** After `unlock`. @throws {KernelError} for a value that does not open */
  find(name: string): Secret | undefined;
};

/** Asks a person for the passphrase of the secrets; `new` one is typed twice. */
export type AskPassphrase = (
  what: 'new' | 'known',
  options: { signal: AbortSignal },
) => Promise<string>;
