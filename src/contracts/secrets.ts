/** A value that plugins name and never see. */
export type Secret = {
  name: string;
  /** printable ASCII: it stands in a header */
  value: string;
  /** where it may be sent, each as `URL.origin` writes it; never empty */
  origins: readonly string[];
};

export type Secrets = {
  find(name: string): Secret | undefined;
};
