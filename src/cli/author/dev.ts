import type { Command } from 'commander';
export function addPluginDev(_plugin: Command): void {}
