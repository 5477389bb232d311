/** Set by the project `slow`, which runs each file that imports this one a second time, whole. */
export const runsVariable = 'CUERVO_TEST_RUNS';

/** @returns how often a property is tried: a tenth of `whole` where somebody waits */
export const runs = (whole: number): number =>
  process.env[runsVariable] === 'whole' ? whole : Math.ceil(whole / 10);
