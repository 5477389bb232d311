import { standInFor } from '../absent-classes.ts';

const help = 'take the synchronous entry of the package, such as NAME/sync';
standInFor({ ReadableStream: help, WritableStream: help, TransformStream: help });
