/** What every hook loads first. The build puts it and all that it imports into the file of the program itself (scripts/bundle-hook.js). */
export { enterHook } from './enter-hook.ts'
export { hookArguments } from './hook-arguments.ts'
