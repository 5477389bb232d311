import type { Command } from 'commander';
export function addPluginNew(_plugin: Command): void {}
