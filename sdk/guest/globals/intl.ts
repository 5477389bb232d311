import { GuestIntl } from '../intl/intl.ts';
import { dateText, localeCompare, numberText } from '../intl/locale-texts.ts';

const day = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;

Object.assign(globalThis, { Intl: GuestIntl });
Object.assign(String.prototype, { localeCompare });
Object.assign(Number.prototype, { toLocaleString: numberText });
Object.assign(BigInt.prototype, { toLocaleString: numberText });
Object.assign(Date.prototype, {
  toLocaleString: dateText({ ...day, ...time }),
  toLocaleDateString: dateText(day),
  toLocaleTimeString: dateText(time),
});
