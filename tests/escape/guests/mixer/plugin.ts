import { definePlugin, v } from '@cuervo/sdk';

/** A keyed mixing of bytes that stands nowhere but here: who knows its output ran this code. */
function mix(key: number, text: string): string {
  let high = (key ^ 0x5bd1e995) >>> 0;
  let low = Math.imul(key + 0x7f4a7c15, 0x2545f491) >>> 0;
  for (let index = 0; index < text.length; index += 1) {
    high = Math.imul(high ^ text.charCodeAt(index), 0x01b3_0193) >>> 0;
    low = (low + ((high << 13) | (high >>> 19))) >>> 0;
    high = (high ^ (low >>> 7)) >>> 0;
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

export default definePlugin({
  name: 'mixer',
  version: '0.1.0',
  description: 'Mixes a text with a key.',
  wants: [],
  tools: [
    {
      name: 'mix',
      description: 'Sixteen hex digits of a key and a text.',
      effect: 'pure',
      input: v.object({ key: v.number(), text: v.string() }),
      examples: [],
      run: ({ key, text }) => ({ content: { mixed: mix(key, text) }, summary: 'mixed' }),
    },
  ],
});
