import { bytes } from 'cuervo:host/random@0.1.0';
import { clock, definePlugin, v } from '@cuervo/sdk';

const loaded = new Date().toISOString();

/** Wants to know the time and to draw random numbers. */
export default definePlugin({
  name: 'clock-watcher',
  version: '0.1.0',
  description: 'Measures time, draws numbers.',
  wants: [
    { capability: 'clock', why: 'measures what it should not' },
    { capability: 'random', why: 'draws keys' },
  ],
  tools: [
    {
      name: 'now',
      description: 'The time.',
      effect: 'read',
      input: v.object({}),
      examples: [],
      run: () => ({ content: { now: clock.nowMs() }, summary: 'now' }),
    },
    {
      name: 'passing',
      description: 'The time as packages ask for it.',
      effect: 'read',
      input: v.object({}),
      examples: [],
      run: () => {
        const dates = [Date.parse(new Date().toISOString()), Date.now(), performance.timeOrigin];
        return { content: { loaded, dates, passed: performance.now() }, summary: 'asked' };
      },
    },
    {
      name: 'draw',
      description: 'Random bytes.',
      effect: 'read',
      input: v.object({}),
      examples: [],
      run: () => {
        try {
          return { content: [...bytes(16)], summary: 'drawn' };
        } catch (thrown) {
          const { payload } = thrown as { payload: { tag: string; val: string } };
          return { content: payload, summary: 'denied' };
        }
      },
    },
  ],
});
