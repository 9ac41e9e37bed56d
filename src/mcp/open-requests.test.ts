import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import { openRequests } from './open-requests.ts'

const request = (id: number, method = 'tools/call'): JSONRPCMessage => ({ jsonrpc: '2.0', id, method, params: {} })
const answer = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} })

async function connected() {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const open = openRequests(ours)
  const heard: JSONRPCMessage[] = []
  open.transport.onmessage = (message) => void heard.push(message)
  await open.transport.start()
  await theirs.start()
  return { open, theirs, heard }
}

it('waits until every request is answered', async () => {
  const { open, theirs, heard } = await connected()
  expect(await open.settled(0)).toBe(true)
  await theirs.send(request(1))
  await theirs.send(request(2))
  expect(heard).toHaveLength(2)
  expect(await open.settled(1)).toBe(false)
  const settled = open.settled(60_000)
  await open.transport.send(answer(1))
  expect(await Promise.race([settled, Promise.resolve('waits')])).toBe('waits')
  await open.transport.send(answer(2))
  expect(await settled).toBe(true)
})

it('waits for none that was taken back, nor for one that listens for ever', async () => {
  const { open, theirs } = await connected()
  await theirs.send(request(1))
  await theirs.send(request(2, 'subscriptions/listen'))
  const settled = open.settled(60_000)
  await theirs.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  expect(await settled).toBe(true)
})

it('a request of the server itself is none of them', async () => {
  const { open } = await connected()
  await open.transport.send(request(7, 'roots/list'))
  expect(await open.settled(0)).toBe(true)
})
