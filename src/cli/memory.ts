import type { Command } from 'commander';
import { addFamilyExamples } from './command-families.ts';
import { addMemoryFacts } from './memory-facts.ts';
import { addMemoryAdd, addMemoryMove } from './memory-files.ts';
import { addMemoryForget } from './memory-forget.ts';
import { addMemorySearch } from './memory-search.ts';
import { addMemoryExplain, addMemoryShow } from './memory-show.ts';
import { addMemoryTend } from './memory-tend.ts';

const examples = `
Examples:
  cuervo memory search "release day"
  cuervo memory search --all "release day" --explain
  cuervo memory add docs
  cuervo memory list --limit 5
  cuervo memory show 7332cf1b
  cuervo memory explain 7332cf1b "release day"
  cuervo memory history releases
  cuervo memory edit 7332cf1b releases happen on Fridays
  cuervo memory replace 7332cf1b 9a01bb2e    the second holds in place of the first
  cuervo memory revive 7332cf1b              one that was replaced or ended holds again
  cuervo memory promote 7332cf1b
  cuervo memory demote 7332cf1b
  cuervo memory forget --source docs/old.md
  cuervo memory export > memory.jsonl
  cuervo memory import memory.jsonl
  cuervo memory stats
  cuervo memory reembed           after a change of embedder
  cuervo memory compact
  cuervo memory rebuild           after lancedb was lost or broken
`;

export function addMemoryCommand(program: Command): void {
  const memory = program.command('memory').description('search, fill and maintain memory');
  addFamilyExamples(memory, examples);
  addMemorySearch(memory);
  addMemoryAdd(memory);
  addMemoryShow(memory);
  addMemoryExplain(memory);
  addMemoryFacts(memory);
  addMemoryForget(memory);
  addMemoryMove(memory);
  addMemoryTend(memory);
}
