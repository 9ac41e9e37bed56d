/** Milliseconds UTC. A value, so that tests can set it. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
