import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { interruptedExitCode, interruption } from './interruption.ts'

it('listens to nothing until a job asks for the signal', () => {
  const process = new EventEmitter()
  const signal = interruption(process, () => undefined)
  expect(process.eventNames()).toEqual([])
  signal()
  signal()
  expect(process.listenerCount('SIGINT')).toBe(1)
})

it('the first interrupt asks the job to stop, the second ends the process', () => {
  const process = new EventEmitter()
  const ended: number[] = []
  const signal = interruption(process, (code) => ended.push(code))()
  process.emit('SIGINT')
  expect(signal.aborted).toBe(true)
  expect(ended).toEqual([])
  process.emit('SIGINT')
  expect(ended).toEqual([130])
})

it('SIGTERM right after SIGINT is the same request; a second of either ends the process', () => {
  const process = new EventEmitter()
  const ended: number[] = []
  const signal = interruption(process, (code) => ended.push(code))()
  process.emit('SIGINT')
  process.emit('SIGTERM')
  expect([signal.aborted, interruptedExitCode(signal.reason), ended]).toEqual([true, 130, []])
  process.emit('SIGTERM')
  expect(ended).toEqual([143])
})

it('the exit code is that of the signal', () => {
  const process = new EventEmitter()
  const signal = interruption(process, () => undefined)()
  process.emit('SIGTERM')
  expect(interruptedExitCode(signal.reason)).toBe(143)
  expect(interruptedExitCode(new Error('something else'))).toBe(130)
})
