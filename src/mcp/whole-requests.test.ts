import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { wholeRequests } from './whole-requests.ts'

async function sent(chunks: readonly string[], largest: number): Promise<{ lines: string[]; answers: object[] }> {
  const answers = new PassThrough()
  const requests = wholeRequests(answers, largest)
  const lines: string[] = []
  requests.on('data', (line: Buffer) => lines.push(line.toString('utf8')))
  for (const chunk of chunks) requests.write(Buffer.from(chunk))
  requests.end()
  await new Promise((resolve) => requests.once('end', resolve))
  const said = String(answers.read() ?? '')
  return { lines, answers: said.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as object])) }
}

const MB = 1 << 20
const large = (before: string, after: string) => `{${before}"params":{"id":9,"x":"${'y'.repeat(MB)}"}${after}}\n`

describe('requests', () => {
  it('come line by line, however they were cut on the way', async () => {
    const text = '{"id":1}\n{"id":"é"}\r\n\n{"id":3}\n{"half'
    for (let at = 1; at < text.length; at++) {
      const { lines, answers } = await sent([text.slice(0, at), text.slice(at)], MB)
      expect(lines).toEqual(['{"id":1}\n', '{"id":"é"}\r\n', '\n', '{"id":3}\n'])
      expect(answers).toEqual([])
    }
  })

  it('that are too large are answered by their id, and those around them are read', async () => {
    const texts = [
      large('"jsonrpc":"2.0","id":7,"method":"tools/call",', ''),
      large('"method":"tools/call",', ',"jsonrpc":"2.0","id":8'),
      large('"jsonrpc":"2.0","method":"tools/call",', ',"id":"a\\"b"'),
      large('"jsonrpc":"2.0","method":"tools/call",', ''),
    ]
    const whole = `{"id":1}\n${texts.join('{"id":2}\n')}{"id":3}\n`
    for (const size of [1000, 65_536, whole.length]) {
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.slice(i * size, (i + 1) * size))
      const { lines, answers } = await sent(chunks, MB)
      expect(lines).toEqual(['{"id":1}\n', '{"id":2}\n', '{"id":2}\n', '{"id":2}\n', '{"id":3}\n'])
      expect(answers).toMatchObject([7, 8, 'a"b', null].map((id) => ({ jsonrpc: '2.0', id, error: { code: -32600 } })))
      expect(JSON.stringify(answers)).toContain('larger than 1 MB')
    }
  })

  it('of exactly the largest size pass', async () => {
    const line = `{"id":1,"x":"${'y'.repeat(100)}"}\n`
    expect((await sent([line], line.length)).lines).toEqual([line])
    expect((await sent([line], line.length - 1)).lines).toEqual([])
  })
})
