/** The binary itself, kept beside what was made of it. */
export const componentFile = 'component.wasm';
