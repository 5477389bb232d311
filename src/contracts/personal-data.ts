/** What tells of a person and has a form: each is found by more than its shape where it can be. */
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

/** What of it leaves the machine for a remote model. Secrets never do. */
export type PrivacySettings = {
  /** `withhold`: replaced by stand-ins; `send`: as it is */
  personalData: 'withhold' | 'send';
  /** kinds that are sent as they are, whatever is said above */
  send: readonly PersonalKind[];
};
