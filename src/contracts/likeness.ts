/** How alike a text is to one that was named: the cosine of their vectors, at most 1. */
export type Likeness = (text: string) => number;

/** How near something in a text comes to each of some words, in their order: 0 to 1 each. */
export type Nearness = (text: string) => readonly number[];

/** How alike texts are to one text as a whole, and how near they come to each of its words. */
export type Likenesses = { asked: Likeness; nearest: Nearness };
