/** The clock as a value, so that a test can set it. Milliseconds UTC. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
