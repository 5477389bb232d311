/** How alike a text is to one that was named: the cosine of their vectors, at most 1. */
export type Likeness = (text: string) => number;
