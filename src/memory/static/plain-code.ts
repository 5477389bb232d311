/**
 * Code as a row of words: names are split as their writers did with capitals and underscores
 * (`parseHTTPHeader` becomes `parse HTTP Header`, `max_retry_count` becomes `max retry count`),
 * and signs are dropped. Without it a name is cut into pieces where no word ends.
 */
export function plainCode(text: string): string {
  return text
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/[^\p{L}\p{N}'.?]+/gu, ' ')
    .trim();
}
