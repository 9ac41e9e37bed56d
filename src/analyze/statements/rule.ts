import type { StatementType } from '../../core/statement-type.ts'
import type { SaidText } from './extractor.ts'

export interface Rule {
  readonly name: string
  readonly type: StatementType
  readonly pattern: RegExp
  readonly confidence: number
  readonly by?: SaidText['by'] | 'anyone'
  readonly to?: SaidText['to']
}

export const rule = (type: StatementType, name: string, confidence: number, source: string, more: Pick<Rule, 'by' | 'to'> = {}): Rule => ({
  ...{ type, name, confidence, pattern: new RegExp(source, 'i') },
  ...more,
})

export const OPENING = `^(?:(?:and|but|so|also|then|ok(?:ay)?|yes|yeah|yep|sure|right|great|good|fine|perfect|alright|cool|no|nope|hmm+|ah|oh|whoops|oops|well|sorry|wait|hey|hi|please|thanks|btw|fyi|note|rule|one rule|reminder)[,.!: ]+)*`
export const WILL = "(?:'ll| will|'m going to| am going to|'re going to| are going to)"
