import type { MemoryFilter } from '../../../src/contracts/memory.ts';

/** Questions whose nearest rows an index has to find, among those that a filter takes. */
export type RecallCase = {
  name: string;
  filter: MemoryFilter;
  /** the same by the number of a made row */
  takes(row: number): boolean;
  /** a look at each of a million rows costs a quarter of a second */
  questions: number;
};

export const recallCases: readonly RecallCase[] = [
  { name: 'recall', filter: {}, takes: () => true, questions: 100 },
  {
    name: 'recall.project',
    filter: { project: '/project-1' },
    takes: (row) => row % 4 === 1,
    questions: 25,
  },
  { name: 'recall.tag', filter: { tags: ['tag3'] }, takes: (row) => row % 7 === 3, questions: 25 },
  {
    name: 'recall.session-and-kind',
    filter: { session: 's9', kinds: ['note'] },
    takes: (row) => row % 50 === 9 && row % 3 === 0,
    questions: 25,
  },
];
