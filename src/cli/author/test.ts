import type { Command } from 'commander';
export function addPluginTest(_plugin: Command): void {}
