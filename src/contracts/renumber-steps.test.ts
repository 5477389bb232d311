import { expect, it } from 'vitest';
import { renumberSteps, type Step } from './plan.ts';

it('renumberSteps() gives new ids to steps, needs and references, and changes nothing else', () => {
  const steps: Step[] = [
    { id: 's1', tool: 'a.find', input: { text: 's1' }, needs: [], effect: 'read' },
    {
      id: 's4',
      tool: 'a.read',
      input: { list: [{ $from: 's1', path: '/0' }], other: { $from: 'x', path: '' } },
      needs: ['s1'],
      effect: 'read',
    },
  ];
  expect(renumberSteps(steps, 3)).toEqual([
    { ...steps[0], id: 's3' },
    {
      ...steps[1],
      id: 's4',
      input: { list: [{ $from: 's3', path: '/0' }], other: { $from: 'x', path: '' } },
      needs: ['s3'],
    },
  ]);
});
