import type { LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';
import type { Speed } from './protocol.ts';

/** Prose and code, as prompts have them. */
const sample =
  'The retry limit is read from the configuration when the client is opened, and every request that fails is tried again until it is reached.\nexport function readLimit(config: Config): number {\n  return config.http?.maxRetries ?? 7; // src/http/retry.ts:12\n}\n';
const promptTokens = 256;
const answerTokens = 24;
/** A model that is slower than this allows is measured by what it did until then. */
const maxMs = 20_000;

/** How fast this machine reads and writes with a model, by one prompt and one answer. */
export async function measureSpeed(
  model: LlamaModel,
  sequence: LlamaContextSequence,
): Promise<Speed> {
  const once = model.tokenize(sample);
  const size = Math.min(promptTokens, sequence.contextSize - answerTokens - 8);
  const prompt = Array.from({ length: size }, (_, index) => once[index % once.length] ?? 0);
  await sequence.clearHistory();
  // The first call reads the weights from the disk, which later ones do not.
  await sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(0, 8) as typeof once);
  await sequence.clearHistory();
  const startMs = performance.now();
  const step = 64;
  let read = 0;
  while (read < prompt.length && performance.now() - startMs < maxMs) {
    const piece = prompt.slice(read, read + step) as typeof once;
    await sequence.evaluateWithoutGeneratingNewTokens(piece);
    read += piece.length;
  }
  const readMs = performance.now() - startMs;
  let token: Token | undefined = once.at(-1);
  let written = 0;
  const writeMs = performance.now();
  // One by one, without guessing the tokens that were read, as answers do.
  while (token !== undefined && token !== null && written < answerTokens) {
    const options = { generateNext: { token: true, options: { temperature: 0 } } };
    const results = await sequence.controlledEvaluate([[token, options]]);
    token = results.at(-1)?.next.token ?? undefined;
    written += 1;
    if (performance.now() - writeMs > maxMs) break;
  }
  const wroteMs = performance.now() - writeMs;
  await sequence.clearHistory();
  const perSecond = (count: number, ms: number): number => (count * 1_000) / Math.max(ms, 0.01);
  return { prefill: perSecond(read, readMs), decode: perSecond(written, wroteMs) };
}
