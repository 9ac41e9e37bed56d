/** Word splits words into runs (`<w:t>blue</w:t>…<w:t>bird</w:t>`); vCard and iCalendar fold lines. Pure. */

type Decode = (piece: Buffer) => Buffer

/** Undefined if the format splits nothing. */
export function joinedWords(head: Buffer): Decode | undefined {
  const start = head
    .toString('latin1', 0, 64)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
  if (start.startsWith('<')) return withoutTags()
  return /^BEGIN:V/i.test(start) ? unfolded() : undefined
}

const [LESS, MORE, NEWLINE] = [60, 62, 10]
/** Style tags do not end a word. */
const ENDS_A_WORD = /^\/?(?:\w+:)?(?:p|br|tab|tr|tc|td|th|li|div|h\d?|si|c|row|cell|dt|dd|option)(?![\w-])/i
const TAG_NAME = 24

function withoutTags(): Decode {
  let name: number[] | undefined
  return (piece) => {
    const out = Buffer.alloc(piece.length)
    let length = 0
    for (const byte of piece) {
      if (byte === LESS) name = []
      else if (name === undefined) out[length++] = byte
      else if (byte === MORE) {
        if (ENDS_A_WORD.test(String.fromCharCode(...name))) out[length++] = NEWLINE
        name = undefined
      } else if (name.length < TAG_NAME) name.push(byte)
    }
    return out.subarray(0, length)
  }
}

function unfolded(): Decode {
  let rest = ''
  return (piece) => {
    const text = rest + piece.toString('latin1')
    const open = /\r?\n?$/.exec(text)?.index ?? text.length
    rest = text.slice(open)
    return Buffer.from(text.slice(0, open).replace(/\r?\n[ \t]/g, ''), 'latin1')
  }
}
