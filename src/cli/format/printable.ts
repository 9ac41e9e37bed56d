export { printable } from '../../core/text.ts'
