/** At most `width` UTF-16 units; what was cut away is shown as `…`. */
export function shortenText(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
