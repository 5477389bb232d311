export type OutputStream = 'stdout' | 'stderr';

/** A long output of a program, kept as a blob. */
export type KeptOutput = {
  run: string;
  step: string;
  plugin: string;
  program: string;
  stream: OutputStream;
  /** SHA-256 of what is kept, hex: the name of the blob */
  hash: string;
  bytes: number;
  /** The program printed more than is kept of one. */
  isCut: boolean;
  /** ms since the epoch */
  ts: number;
};

export type OutputOwner = Pick<KeptOutput, 'run' | 'step' | 'plugin' | 'program'>;

/** The rows of kept outputs. Every method throws `KernelError`. */
export type KeptOutputs = {
  add(output: KeptOutput): void;
  /** Outputs of one step, in the order in which they ended. */
  ofStep(run: string, step: string): KeptOutput[];
  /** Outputs of a project's runs whose id begins so, or the output of this hash; in order. */
  find(project: string, id: string): KeptOutput[];
  /** Whether a program of the plugin printed it, in a run of the project. */
  isOf(plugin: string, project: string, hash: string): boolean;
  /**
   * Forgets the oldest until the others have at most so many bytes.
   *
   * @returns hashes that nothing needs any more
   */
  trim(maxBytes: number): string[];
};

/** Takes what a program prints while it runs. */
export type OutputSink = {
  write(stream: OutputStream, chunk: Uint8Array): void;
  /** Keeps what was written. Where the disk is full nothing is kept; the program is not to blame. */
  end(): void;
};

/** A plugin's access to outputs that its programs printed. */
export type OutputReader = {
  /** of the step that asks, in the order in which they ended */
  list(run: string, step: string): KeptOutput[];
  /** @returns undefined where none is kept under this name, or it is another plugin's or workspace's */
  read(plugin: string, hash: string, offset: number, length: number): Uint8Array | undefined;
};
