import { definePlugin, v } from '@cuervo/sdk';

/** The tool that calls are timed with: an input schema, a text in, a text out. */
export default definePlugin({
  name: 'echo',
  version: '0.1.0',
  description: 'Gives texts back.',
  licence: 'Apache-2.0',
  wants: [],
  tools: [
    {
      name: 'text',
      description: 'Gives a text back.',
      effect: 'pure',
      input: v.object({
        text: v.pipe(v.string(), v.minLength(1), v.maxLength(65_536), v.description('any text')),
        upperCase: v.optional(v.pipe(v.boolean(), v.description('in upper case'))),
      }),
      examples: [{ text: 'one two' }],
      run: ({ text, upperCase }) => ({
        content: upperCase ? text.toUpperCase() : text,
        summary: `${text.length} characters`,
      }),
    },
  ],
});
