/** Makes of a class one that works without `new`, too, as the older classes of `Intl` do. */
export function callable<Class extends new (...values: never[]) => object>(
  made: Class,
): Class & ((...values: ConstructorParameters<Class>) => InstanceType<Class>) {
  return new Proxy(made, {
    apply: (target, _self, values) => Reflect.construct(target, values),
  }) as never;
}
