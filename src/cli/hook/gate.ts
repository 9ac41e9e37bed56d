/** Loaded first by every hook. scripts/bundle-hook.js bundles it into the program's file. */
export { enterHook } from './enter-hook.ts'
export { hookArguments } from './hook-arguments.ts'
