import type { Command } from 'commander';
export function addPluginCheck(_plugin: Command): void {}
