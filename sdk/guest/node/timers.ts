import * as timers from '../timers.ts';

export * from '../timers.ts';
export default timers;
