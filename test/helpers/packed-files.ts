/** Archives and encodings without any code of the scan under test. */

import { deflateRawSync, deflateSync } from 'node:zlib'
import { crc32 } from './crc32.ts'

export function zipOf(members: Readonly<Record<string, Buffer | string>>, { encrypted = false } = {}): Buffer {
  const [locals, entries]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, content] of Object.entries(members)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(encrypted ? 1 : 0, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

export function tarOf(members: Readonly<Record<string, Buffer>>): Buffer {
  const blocks = Object.entries(members).flatMap(([name, bytes]) => {
    const head = Buffer.alloc(512)
    head.write(name, 0)
    head.write('0000644\0', 100)
    head.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    head.write('ustar\x0000', 257)
    return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

export function pngWith(type: 'tEXt' | 'zTXt' | 'iTXt', text: string): Buffer {
  const body = {
    tEXt: () => Buffer.concat([Buffer.from('Comment\0'), Buffer.from(text)]),
    zTXt: () => Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(text)]),
    iTXt: () => Buffer.concat([Buffer.from('Comment\0\x01\0en\0Note\0'), deflateSync(text)]),
  }[type]()
  const chunk = (name: string, data: Buffer) => {
    const [length, sum, named] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(name, 'latin1'), data])]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const size = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', size),
    chunk(type, body),
    chunk('IDAT', deflateSync(Buffer.from([0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** As mail programs do: escapes and soft line breaks. */
export function quotedPrintable(text: string, width = 76): string {
  const units = [...Buffer.from(text, 'utf8')].map((byte) =>
    byte === 10 || (byte >= 32 && byte < 127 && byte !== 61)
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  )
  let [out, column] = ['', 0]
  for (const unit of units) {
    if (unit !== '\n' && column + unit.length >= width) {
      out += '=\r\n'
      column = 0
    }
    out += unit === '\n' ? '\r\n' : unit
    column = unit === '\n' ? 0 : column + unit.length
  }
  return out
}
