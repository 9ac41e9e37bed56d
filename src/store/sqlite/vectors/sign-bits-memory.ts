import { signWords } from './sign-bits.ts'

/** Segments keep neighbouring ids together; unused ranges cost nothing. */
export const SEGMENT = 2048

const PRESENT = 1
const SUPERSEDED = 2
const AGENT_SHIFT = 2

export interface Segment {
  readonly first: number
  readonly bits: Int32Array
  readonly bytes: Uint8Array
  readonly numbers: Float64Array
  readonly flags: Uint32Array
  present: number
}

export interface Scope {
  readonly agentId?: string | undefined
  readonly branches?: boolean | undefined
}

export interface Wanted {
  readonly mask: number
  readonly value: number
}

export interface SignedChunk {
  readonly bits: Buffer
  readonly number: number
  readonly agentId: string
  readonly superseded: boolean
}

export class SignBitsMemory {
  readonly dimensions: number
  readonly words: number
  readonly #segments = new Map<number, Segment>()
  readonly #agents = new Map<string, number>()

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.words = signWords(dimensions)
  }

  put(id: number, { bits, number, agentId, superseded }: SignedChunk): void {
    this.putBits([id], bits, agentId)
    this.setNumber(id, number)
    if (superseded) this.setSuperseded(id)
  }

  /** Concatenated rows of several chunks. Other fields are set afterwards. */
  putBits(ids: readonly number[], bits: Buffer, agentId: string): void {
    const width = bits.length / ids.length
    const flags = PRESENT | (this.#agentNumber(agentId) << AGENT_SHIFT)
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] as number
      const segment = this.segmentOf(id) ?? this.#makeSegment(id)
      const row = id % SEGMENT
      if (segment.flags[row] === 0) segment.present++
      bits.copy(segment.bytes, row * this.words * 4, i * width, (i + 1) * width)
      segment.flags[row] = flags
    }
  }

  remove(id: number): void {
    const segment = this.segmentOf(id)
    if (segment === undefined || segment.flags[id % SEGMENT] === 0) return
    segment.flags[id % SEGMENT] = 0
    segment.present--
    if (segment.present === 0) this.#segments.delete(Math.floor(id / SEGMENT))
  }

  setNumber(id: number, number: number): void {
    const segment = this.segmentOf(id)
    if (segment !== undefined) segment.numbers[id % SEGMENT] = number
  }

  setAgent(id: number, agentId: string): void {
    this.#change(id, (flags) => (flags & (PRESENT | SUPERSEDED)) | (this.#agentNumber(agentId) << AGENT_SHIFT))
  }

  setSuperseded(id: number): void {
    this.#change(id, (flags) => flags | SUPERSEDED)
  }

  numberOf(id: number): number {
    const segment = this.segmentOf(id)
    return segment === undefined || segment.flags[id % SEGMENT] === 0 ? 0 : (segment.numbers[id % SEGMENT] as number)
  }

  segmentOf(id: number): Segment | undefined {
    return this.#segments.get(Math.floor(id / SEGMENT))
  }

  segments(): Segment[] {
    return [...this.#segments.values()]
  }

  count(): number {
    return this.segments().reduce((sum, { present }) => sum + present, 0)
  }

  size(): number {
    const row = this.words * 4 + Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT
    return this.#segments.size * SEGMENT * row
  }

  wanted({ agentId, branches }: Scope): Wanted | undefined {
    const agent = agentId === undefined ? undefined : this.#agents.get(agentId)
    if (agentId !== undefined && agent === undefined) return undefined
    const mask = PRESENT | (branches ? 0 : SUPERSEDED) | (agent === undefined ? 0 : -1 << AGENT_SHIFT)
    return { mask, value: PRESENT | ((agent ?? 0) << AGENT_SHIFT) }
  }

  #change(id: number, flags: (before: number) => number): void {
    const segment = this.segmentOf(id)
    const before = segment?.flags[id % SEGMENT] ?? 0
    if (segment !== undefined && before !== 0) segment.flags[id % SEGMENT] = flags(before)
  }

  #agentNumber(agentId: string): number {
    const known = this.#agents.get(agentId)
    if (known !== undefined) return known
    this.#agents.set(agentId, this.#agents.size)
    return this.#agents.size - 1
  }

  #makeSegment(id: number): Segment {
    const key = Math.floor(id / SEGMENT)
    const bits = new Int32Array(SEGMENT * this.words)
    const segment = {
      first: key * SEGMENT,
      bits,
      bytes: new Uint8Array(bits.buffer),
      numbers: new Float64Array(SEGMENT),
      flags: new Uint32Array(SEGMENT),
      present: 0,
    }
    this.#segments.set(key, segment)
    return segment
  }
}
