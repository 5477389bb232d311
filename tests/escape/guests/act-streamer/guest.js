const bytesOf = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const part = (text) => ({
  tag: 'content',
  val: { data: bytesOf(text), mimeType: 'text/plain', metadata: [] },
});
const named = (name) => ({
  name,
  description: { tag: 'plain', val: `The tool ${name}.` },
  parametersSchema: '{"type":"object"}',
  metadata: [],
});

async function* parts(name) {
  yield part('one');
  if (name === 'silent') await new Promise(() => {});
  while (name === 'endless') yield part('x'.repeat(10_000));
  yield part('two');
}

export const toolProvider = {
  async listTools() {
    return { metadata: [], tools: ['few', 'silent', 'endless', 'whole'].map(named) };
  },
  async callTool(name) {
    if (name !== 'whole') return { tag: 'streaming', val: parts(name) };
    return { tag: 'immediate', val: Array.from({ length: 200 }, () => part('x'.repeat(10_000))) };
  },
};
