/** Stored text for a terminal or an agent, whose harness shows it in one: nothing in it may command it, reorder its lines or end them where nobody sees why. */
import { stripControls } from './text.ts'

/** Marks of direction, which would turn the rest of a line around. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const LINE_ENDS = /[\u2028\u2029]/g

export function printable(text: string): string {
  return stripControls(text).replace(DIRECTION, '').replace(LINE_ENDS, '\n')
}
