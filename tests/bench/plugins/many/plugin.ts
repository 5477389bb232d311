import { definePlugin, v } from '@cuervo/sdk';

/** The most that a plugin may have. */
const count = 100;

/** As many tools as a person who installs much has, to time their list. */
export default definePlugin({
  name: 'many',
  version: '0.1.0',
  description: 'Gives texts back in many ways.',
  licence: 'Apache-2.0',
  wants: [],
  tools: Array.from({ length: count }, (_, at) => ({
    name: `tool-${at + 1}`,
    description: `Gives a text back, as the tool number ${at + 1} of many does.`,
    effect: 'pure' as const,
    input: v.object({
      text: v.pipe(v.string(), v.minLength(1), v.maxLength(65_536), v.description('any text')),
    }),
    examples: [{ text: 'one two' }],
    run: ({ text }: { text: string }) => ({ content: text, summary: `${text.length} characters` }),
  })),
});
