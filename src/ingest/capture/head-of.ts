import type { UnitReader } from '../adapter.ts'

const HEAD = 64 << 10

export async function headOf(path: string, reader: UnitReader | undefined): Promise<Buffer> {
  // If it is a unit, reading it reports the error.
  return (await reader?.slice(path, 0, HEAD).catch(() => undefined)) ?? Buffer.alloc(0)
}
