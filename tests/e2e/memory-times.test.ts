import { expect, it } from 'vitest';
import { openKernel } from '../../src/kernel.ts';
import { openPlace } from '../support/place.ts';

const noon = (date: string): number => Date.parse(`${date}T12:00:00Z`);

/** What a person says on some days, with what is answered to each. */
async function said(days: readonly (readonly [date: string, words: string])[]): Promise<string[]> {
  using place = openPlace();
  let nowMs = 0;
  const clock = { nowMs: () => nowMs };
  await using kernel = await openKernel({ workspace: place.work, home: place.home, clock });
  const answers: string[] = [];
  for (const [date, words] of days) {
    nowMs = noon(date);
    for await (const event of kernel.ask(words)) {
      if (event.type === 'answer') answers.push(event.text);
      if (event.type === 'error') answers.push(`${event.code}: ${event.message}`);
    }
  }
  return answers;
}

it('a question with a time and no subject lists what was said then', async () => {
  const answers = await said([
    ['2026-11-02', 'remember that the heron nests in the reeds'],
    ['2026-11-18', 'remember that the standup is at 10'],
    ['2026-11-23', 'remember that the printer is in room 4'],
    ['2026-11-24', 'what did I say last week?'],
    ['2026-11-24', 'what did I tell you yesterday?'],
    ['2026-11-24', 'what did I tell you on 18 November?'],
    ['2026-11-24', 'what did I say this month?'],
    ['2026-11-24', 'what did I tell you today?'],
  ]);
  const [week, yesterday, day, month, today] = answers.slice(3);
  expect(week).toMatch(/^You told \(17 November to 23 November\):\n.*printer.*\n.*standup.*\nSee/);
  expect(yesterday).toMatch(/^You told \(23 November\):\n.*printer.*\nSee/);
  expect(day).toMatch(/^You told \(18 November\):\n.*standup.*\nSee/);
  expect(month).toMatch(/:\n.*printer.*\n.*standup.*\n.*heron.*\nSee/);
  expect(today).toMatch(/^Nothing was told then \(24 November\)/);
});

it('a day that is counted from today is kept with its date, and says when it has passed', async () => {
  const [kept, before, after, list] = await said([
    ['2026-11-02', 'remember that the dentist appointment is next Tuesday at 8'],
    ['2026-11-03', 'when is the dentist appointment?'],
    ['2026-11-30', 'when is the dentist appointment?'],
    ['2026-11-30', 'what did I tell you?'],
  ]);
  const dated = 'the dentist appointment is next Tuesday (2026-11-03) at 8';
  expect(kept).toContain(`: ${dated}`);
  expect(before).toContain(`24 h ago: ${dated}`);
  expect(after).toContain(`28 days ago, has passed: ${dated}`);
  expect(list).toContain(`${dated} (2 November, has passed)`);
});
