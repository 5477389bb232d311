/** The words of a text without accents, in lower case, ß as ss, in their order. */
export function plainWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
  return plain.match(/[\p{L}\p{N}]+(?:[.:@/_-][\p{L}\p{N}]+)*/gu) ?? [];
}
