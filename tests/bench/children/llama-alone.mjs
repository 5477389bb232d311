/**
 * node-llama-cpp alone, as its documentation uses it: a line of JSON asks, a line answers.
 *
 * Arguments: path of a GGUF file, tokens of context, threads.
 */
import { createInterface } from 'node:readline';
import { getLlama, LlamaChat } from 'node-llama-cpp';

const [modelPath, contextSize, threads] = process.argv.slice(2);
const llama = await getLlama({
  gpu: false,
  build: 'never',
  skipDownload: true,
  progressLogs: false,
  maxThreads: Number(threads),
  logger: () => {},
});
const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
const context = await model.createContext({
  contextSize: Number(contextSize),
  threads: Number(threads),
});
const sequence = context.getSequence();
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
say({ ready: true });

/** ms until the first token, and between the first and the last one. */
async function answer({ turns, maxTokens, forgets }) {
  if (forgets) await sequence.clearHistory();
  const chat = new LlamaChat({ contextSequence: sequence });
  const history = turns.map(({ role, text }) =>
    role === 'model' ? { type: 'model', response: [text] } : { type: role, text },
  );
  const startMs = performance.now();
  let firstMs = 0;
  let tokens = 0;
  await chat.generateResponse([...history, { type: 'model', response: [] }], {
    maxTokens,
    repeatPenalty: { lastTokens: 128, penalty: 1.15, frequencyPenalty: 0.05 },
    onToken: (some) => {
      if (tokens === 0) firstMs = performance.now() - startMs;
      tokens += some.length;
    },
  });
  return { firstMs, restMs: performance.now() - startMs - firstMs, tokens };
}

/** ms until the first token behind what is new of a prompt, with all before it read already. */
async function added({ before, after }) {
  const known = model.tokenize(before, true);
  const whole = model.tokenize(before + after, true);
  await sequence.adaptStateToTokens(known, false);
  const missing = whole.slice(sequence.nextTokenIndex, known.length);
  if (missing.length > 0) await sequence.evaluateWithoutGeneratingNewTokens(missing);
  const startMs = performance.now();
  for await (const _token of sequence.evaluate(whole.slice(sequence.nextTokenIndex))) break;
  return { firstMs: performance.now() - startMs };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  say(request.before === undefined ? await answer(request) : await added(request));
}
