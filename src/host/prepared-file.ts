/** One file of a prepared plugin, its digest checked. */
export type PreparedFile = {
  /** in the folder of the plugin */
  name: string;
  /** SHA-256, hex */
  digest: string;
  bytes: Buffer;
};
