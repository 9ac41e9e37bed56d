/**
 * Lets a process end while a worker is inside native code. Node stops the workers of a process that exits, and onnxruntime's
 * binding aborts the whole process (exit code 134) when that hits it in a call: so the exit waits for the call, and no other begins.
 */

const CLOSED = 0
const INSIDE = 1
const LONGEST_WAIT_MS = 5_000

/** Shared memory that both threads hold. */
export type Gate = Int32Array<SharedArrayBuffer>

export function createGate(): Gate {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
}

/** In the worker: runs a native call, or waits for ever where the gate is closed. One call at a time. */
export async function throughGate<T>(gate: Gate, call: () => Promise<T>): Promise<T> {
  // The order matters: first inside, then look. The thread that closes the gate does it the other way round, so one of the two sees the other.
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

/** Closes the gate and waits for nobody: the end of the process finds it empty the sooner. */
export function shutGate(gate: Gate): void {
  Atomics.store(gate, CLOSED, 1)
}

/** In the thread that ends the process: closes the gate and blocks until nobody is inside. */
export function closeGate(gate: Gate): void {
  shutGate(gate)
  Atomics.wait(gate, INSIDE, 1, LONGEST_WAIT_MS)
}
