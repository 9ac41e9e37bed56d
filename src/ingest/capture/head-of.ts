/** The first bytes of a file, to recognise its format where its name says nothing. What cannot be read has no beginning. */
import type { UnitReader } from '../adapter.ts'

const HEAD = 64 << 10

export async function headOf(path: string, reader: UnitReader | undefined): Promise<Buffer> {
  // It is no unit then; where it should be one, reading it reports why.
  return (await reader?.slice(path, 0, HEAD).catch(() => undefined)) ?? Buffer.alloc(0)
}
