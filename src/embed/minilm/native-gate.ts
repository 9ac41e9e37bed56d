/**
 * On exit Node kills workers, and onnxruntime aborts the process (exit code 134) if that happens inside a call. So the exit waits for the
 * call, and no new one starts.
 */

const CLOSED = 0
const INSIDE = 1
const LONGEST_WAIT_MS = 5_000

export type Gate = Int32Array<SharedArrayBuffer>

export function createGate(): Gate {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
}

/** In the worker: runs a native call, or blocks forever if the gate is closed. One call at a time. */
export async function throughGate<T>(gate: Gate, call: () => Promise<T>): Promise<T> {
  // Store before load; the closing thread does the reverse, so one always sees the other.
  Atomics.store(gate, INSIDE, 1)
  const closed = Atomics.load(gate, CLOSED) === 1
  try {
    if (!closed) return await call()
  } finally {
    Atomics.store(gate, INSIDE, 0)
    Atomics.notify(gate, INSIDE)
  }
  return new Promise<never>(() => undefined)
}

/** Non-blocking. */
export function shutGate(gate: Gate): void {
  Atomics.store(gate, CLOSED, 1)
}

/** In the exiting thread: blocks until no call is running. */
export function closeGate(gate: Gate): void {
  shutGate(gate)
  Atomics.wait(gate, INSIDE, 1, LONGEST_WAIT_MS)
}
