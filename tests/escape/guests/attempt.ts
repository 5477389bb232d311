/** What came of one host call: the case and the sentence of a `HostError`, or what was returned. */
export type Outcome =
  | { call: string; path: string; ok: true; value: unknown }
  | { call: string; path: string; ok: false; code: string; message: string };

export function attempt(call: string, path: string, run: () => unknown): Outcome {
  try {
    return { call, path, ok: true, value: run() };
  } catch (thrown) {
    const { code, message } = thrown as { code?: string; message?: string };
    return { call, path, ok: false, code: code ?? 'no HostError', message: message ?? '' };
  }
}
