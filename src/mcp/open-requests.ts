import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'

export interface OpenRequests {
  readonly transport: Transport
  /** Resolves when every request is answered or cancelled, or on timeout. Returns whether all are. */
  settled(patienceMs: number): Promise<boolean>
}

const ENDLESS = 'subscriptions/listen'

export function openRequests(inner: Transport): OpenRequests {
  const open = new Set<RequestId>()
  let wake: (() => void) | undefined
  const close = (id: RequestId) => {
    open.delete(id)
    if (open.size === 0) wake?.()
  }
  const heard = (message: JSONRPCMessage) => {
    if (!('method' in message)) return
    if ('id' in message && message.method !== ENDLESS) open.add(message.id)
    const taken = message.method === 'notifications/cancelled' ? message.params?.requestId : undefined
    if (typeof taken === 'string' || typeof taken === 'number') close(taken)
  }
  const transport: Transport = {
    async start() {
      inner.onmessage = (message, extra) => {
        heard(message)
        transport.onmessage?.(message, extra)
      }
      inner.onclose = () => transport.onclose?.()
      inner.onerror = (error) => transport.onerror?.(error)
      await inner.start()
    },
    async send(message, options) {
      try {
        await inner.send(message, options)
      } finally {
        if (!('method' in message) && message.id !== undefined && message.id !== null) close(message.id)
      }
    },
    close: () => inner.close(),
  }
  return {
    transport,
    async settled(patienceMs) {
      if (open.size === 0) return true
      let patience: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        wake = resolve
        patience = setTimeout(resolve, patienceMs)
      })
      clearTimeout(patience)
      return open.size === 0
    },
  }
}
