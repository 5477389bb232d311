/** Personal data that has a form. Where possible, more than its shape is checked. */
export const personalKinds = [
  'br-cpf',
  'email',
  'es-dni',
  'iban',
  'ipv4',
  'ipv6',
  'mac-address',
  'payment-card',
  'phone',
  'uk-nino',
  'us-ssn',
] as const;

export type PersonalKind = (typeof personalKinds)[number];

/** Which of it may leave the machine for a remote model. Secrets never do. */
export type PrivacySettings = {
  /** `withhold`: replaced by stand-ins; `send`: as it is */
  personalData: 'withhold' | 'send';
  /** kinds that are sent as they are, whatever is said above */
  send: readonly PersonalKind[];
};
