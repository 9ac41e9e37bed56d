/** With one reused buffer, a mail must stay valid until the next, wherever chunks end. */
import { expect, it } from 'vitest'
import { splitMbox } from './split-mbox.ts'

const LONG = `${'word '.repeat(400_000)}\n`

function mbox(): { text: string; mails: string[] } {
  const mails = Array.from(
    { length: 40 },
    (_, n) => `Subject: mail ${n}\r\n\r\nThe text of ${n}.\n${n % 7 === 3 ? LONG : ''}${'line\n'.repeat(n)}\n`,
  )
  return { mails, text: mails.map((mail, n) => `From ${n}@x Mon Feb 02 10:00:00 +0000 2026\n${mail}`).join('') }
}

/** Overwrites each chunk when the next is requested. */
async function* reused(bytes: Buffer, size: number): AsyncGenerator<Buffer, void, undefined> {
  const buffer = Buffer.alloc(size)
  for (let at = 0; at < bytes.length; at += size) {
    buffer.fill(0x21)
    yield buffer.subarray(0, bytes.copy(buffer, 0, at, at + size))
  }
}

it.each([1000, 65_536, 1 << 20])('mails are the same in chunks of %i bytes that are overwritten', async (size) => {
  const { text, mails } = mbox()
  const found: string[] = []
  const buffers = new Set<ArrayBufferLike | undefined>()
  for await (const { bytes } of splitMbox(reused(Buffer.from(text), size), 0)) {
    found.push(bytes?.toString() ?? '')
    if (bytes !== undefined && bytes.length < 60_000) buffers.add(bytes.buffer)
  }
  expect(found.length).toBe(mails.length)
  for (const [n, mail] of mails.entries()) expect(found[n] === mail, `mail ${n}`).toBe(true)
  // One buffer for all; a new one only after a very long mail.
  expect(buffers.size).toBeLessThanOrEqual(1 + mails.filter((mail) => mail.length > 1 << 20).length)
})
