/** Makes of a class one that works without `new`, too, as the older classes of `Intl` do. */
export function callable<Made, Class extends new (...values: never[]) => Made>(
  made: Class,
): Class & ((...values: ConstructorParameters<Class>) => Made) {
  return new Proxy(made, {
    apply: (target, _self, values) => Reflect.construct(target, values) as Made,
  }) as Class & ((...values: ConstructorParameters<Class>) => Made);
}
