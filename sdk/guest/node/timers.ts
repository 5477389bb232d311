import * as timers from '../globals/timers.ts';

export * from '../globals/timers.ts';
export default timers;
