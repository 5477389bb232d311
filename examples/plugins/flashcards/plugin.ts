import { definePlugin, memory, random, ToolError, v } from '@cuervo/sdk';

const kind = 'flashcard';
/** Between question and answer of one text in memory. */
const between = '\n=> ';

export default definePlugin({
  name: 'flashcards',
  version: '0.1.0',
  description:
    'Keeps questions with their answers in the memory of a project and asks one by chance.',
  licence: 'Apache-2.0',
  wants: [
    { capability: 'memory', why: 'keeps the cards in the memory of the project' },
    { capability: 'random', why: 'chooses a card by chance' },
  ],
  tools: [
    {
      name: 'add',
      description: 'Keeps a question with its answer as a flashcard.',
      effect: 'write',
      input: v.object({
        question: v.pipe(v.string(), v.trim(), v.minLength(3, 'is too short'), v.maxLength(500)),
        answer: v.pipe(v.string(), v.trim(), v.minLength(1, 'is empty'), v.maxLength(2000)),
      }),
      examples: [{ question: 'Who decides about a host call?', answer: 'The kernel, again.' }],
      run: ({ question, answer }) => {
        const id = memory.remember(`${question}${between}${answer}`, kind, ['flashcard']);
        return { content: { id }, summary: `kept: ${question}` };
      },
    },
    {
      name: 'draw',
      description: 'A flashcard about a subject, by chance: a question and its answer.',
      effect: 'read',
      input: v.object({ about: v.pipe(v.string(), v.trim(), v.minLength(2, 'is too short')) }),
      examples: [{ about: 'host call' }],
      run: ({ about }) => {
        const cards = memory.search(about, 20).filter(({ text }) => text.includes(between));
        if (cards.length === 0) throw new ToolError('not-found', `there is no card about ${about}`);
        const [byte = 0] = random.bytes(1);
        const [question = '', answer = ''] = (cards[byte % cards.length]?.text ?? '').split(
          between,
        );
        return { content: { question, answer, of: cards.length }, summary: question };
      },
    },
  ],
});
