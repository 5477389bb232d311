type Defined<Of> = {
  [Key in keyof Of as undefined extends Of[Key] ? never : Key]: Of[Key];
} & {
  [Key in keyof Of as undefined extends Of[Key] ? Key : never]?: Exclude<Of[Key], undefined>;
};

/** Its fields, but for those that have no value. */
export function withoutUndefined<Of extends object>(fields: Of): Defined<Of> {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Defined<Of>;
}
