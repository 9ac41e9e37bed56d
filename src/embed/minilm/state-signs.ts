/** The states of tokens as one bit a number: set where it is above zero. Pure. */

/** Bit i of byte b stands for number 8b + i. */
export function stateSigns(states: Float32Array): Uint8Array {
  const bits = new Uint8Array(states.length >> 3)
  for (let byte = 0, at = 0; byte < bits.length; byte++, at += 8) {
    let value = 0
    for (let bit = 0; bit < 8; bit++) if ((states[at + bit] as number) > 0) value |= 1 << bit
    bits[byte] = value
  }
  return bits
}
