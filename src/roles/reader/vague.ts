/** Detects questions about the past without a subject: "what did we decide?", "how did that go last time?". Any session would match. */
import { contentWords } from './phrase.ts'

const OF_ASKING = new Set(
  `decide decided decides decision decisions agree agreed agreement settle settled conclude concluded conclusion conclusions say said says tell told talk
  talked talking discuss discussed discussion mention mentioned remember remembered remind recall recap know knew happen happened happening outcome
  result results reason reasons plan plans planned idea ideas thing things stuff something anything everything fix fixed solve solved solution do did
  done doing work worked working change changed go goes went gone going way ways like time times last next before again already earlier previously
  previous recently session sessions conversation conversations chat chats other day week month yesterday today try tried make made use used find
  found finish finished complete completed start started get got come came end ended mean meant want wanted need needed look looked see seen saw
  think thought once ever exactly actually really ok okay please hey hi now then too also well project repo code problem problems issue issues bug
  bugs question answer answered approach choose chose chosen pick picked right wrong good bad ask asked answer memory history context`.split(
    /\s+/,
  ),
)

export function isVague(text: string): boolean {
  return contentWords(text.replaceAll('’', "'")).every((word) => {
    const bare = word.toLowerCase().replace(/^[\W_]+|[\W_]+$|n't$|'(?:s|ve|d|re|ll|m)$/g, '')
    return bare.length < 2 || OF_ASKING.has(bare)
  })
}
