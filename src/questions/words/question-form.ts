const start = String.raw`^\s*(?:please\s+|and\s+|so\s+)?(?:can you\s+)?(?:tell me\s+)?`;
const end = String.raw`\s*[?.!]*\s*$`;

/** A question of this form and no other words, whatever politeness stands before it. */
export function questionForm(...parts: string[]): RegExp {
  return new RegExp([start, ...parts, end].join(''), 'iu');
}
