const monthNames = [
  'jan',
  'feb',
  'mar',
  'apr',
  'may',
  'jun',
  'jul',
  'aug',
  'sep',
  'oct',
  'nov',
  'dec',
];
const firstYear = 1900;
const lastYear = 2049;

/**
 * Whether a date is one of the calendar and of a life: 1900 to 2049. Numbers are read as year, month
 * and day, as day, month and year, or as month, day and year.
 */
export function isBirthDate(text: string): boolean {
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  const name = monthNames.findIndex((month) => new RegExp(`(?<![a-z])${month}`, 'i').test(text));
  if (name >= 0) {
    const [day = 0, year = 0] = numbers;
    return isDate(year, name + 1, day);
  }
  const [one = 0, two = 0, three = 0] = numbers;
  if (one > 31) return isDate(one, two, three);
  return isDate(three, two, one) || isDate(three, one, two);
}

function isDate(year: number, month: number, day: number): boolean {
  if (year < firstYear || year > lastYear || month < 1 || month > 12) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return day >= 1 && date.getUTCMonth() === month - 1;
}
