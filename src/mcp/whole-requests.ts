/** Splits input into lines. Answers an oversized request with an error and continues. */
import { Transform, type Writable } from 'node:stream'

export const LARGEST_REQUEST = 10 << 20
/** Keeps both ends of an oversized request, since either may hold its id. */
const KEPT = 4096
const NEWLINE = 0x0a

export function wholeRequests(answers: Writable, largest = LARGEST_REQUEST): Transform {
  let pieces: Buffer[] = []
  let size = 0
  let head: Buffer | undefined
  let tail: Buffer = Buffer.alloc(0)

  const add = (piece: Buffer) => {
    size += piece.length
    if (size <= largest) pieces.push(piece)
    else {
      const whole = Buffer.concat([tail, ...pieces, piece])
      head ??= Buffer.from(whole.subarray(0, KEPT))
      tail = Buffer.from(whole.subarray(-KEPT))
      pieces = []
    }
  }
  const end = (push: (line: Buffer) => void) => {
    if (head === undefined) push(Buffer.concat(pieces))
    else answers.write(`${JSON.stringify(refusal(head.toString('utf8'), tail.toString('utf8'), largest))}\n`)
    pieces = []
    size = 0
    head = undefined
    tail = Buffer.alloc(0)
  }

  return new Transform({
    transform(chunk: Buffer, _, done) {
      for (let from = 0; from < chunk.length; ) {
        const newline = chunk.indexOf(NEWLINE, from)
        const to = newline < 0 ? chunk.length : newline + 1
        add(chunk.subarray(from, to))
        if (newline >= 0) end((line) => this.push(line))
        from = to
      }
      done()
    },
    flush(done) {
      done()
    },
  })
}

const ID = '("(?:[^"\\\\]|\\\\.){0,200}"|-?\\d{1,16})'
const FIRST = new RegExp(`^\\s*\\{\\s*(?:"(?:jsonrpc|method)"\\s*:\\s*"[^"]{0,100}"\\s*,\\s*){0,2}"id"\\s*:\\s*${ID}\\s*,`)
const LAST = new RegExp(`,\\s*"id"\\s*:\\s*${ID}\\s*(?:,\\s*"(?:jsonrpc|method)"\\s*:\\s*"[^"]{0,100}"\\s*){0,2}\\}\\s*$`)

function refusal(head: string, tail: string, largest: number): object {
  const id = FIRST.exec(head)?.[1] ?? LAST.exec(tail)?.[1]
  const message = `the request is larger than ${largest >> 20} MB and was not read`
  return { jsonrpc: '2.0', id: id === undefined ? null : JSON.parse(id), error: { code: -32600, message } }
}
