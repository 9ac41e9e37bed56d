export { printable } from '../../core/printable.ts'
