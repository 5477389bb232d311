/** A number of rounds of a run, and all of the runs before it. Ids of runs grow with time. */
export type TalkPlace = { run: string; rounds: number };

/** The parts of a conversation that are shortened, so that it fits. */
export type Compaction = {
  /** rounds whose results are a line each */
  results: TalkPlace;
  /** of these, rounds that are their calls alone */
  calls: TalkPlace;
  /** stands for the turns up to and with a run; words of a model */
  summary?: { through: string; text: string; model: string };
};

export const noCompaction: Compaction = {
  results: { run: '', rounds: 0 },
  calls: { run: '', rounds: 0 },
};
