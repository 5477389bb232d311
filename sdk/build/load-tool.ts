/** Brings a package that only a build needs, by its name; where it lies is the caller's affair. */
export type LoadTool = <Module>(
  name: 'componentize-qjs' | 'esbuild' | '@bytecodealliance/componentize-js',
) => Promise<Module>;
