import { describe, expect, it } from 'vitest'
import { floatField, intField, type Message, message, messageField, stringField } from './protobuf.ts'

const hex = ({ parts }: Message) => Buffer.concat(parts).toString('hex')

describe('protobuf', () => {
  it('writes the examples of the format’s own description', () => {
    expect(hex(intField(1, 150))).toBe('089601')
    expect(hex(stringField(2, 'testing'))).toBe('120774657374696e67')
    expect(hex(messageField(3, intField(1, 150)))).toBe('1a03089601')
  })

  it('writes -1 as ten bytes and a float as four', () => {
    expect(hex(intField(3, -1))).toBe('18ffffffffffffffffff01')
    expect(hex(floatField(2, 1))).toBe('150000803f')
  })

  it('a field number above 15 takes two bytes', () => {
    expect(hex(intField(20, 1))).toBe('a00101')
  })

  it('the size of a message is the number of its bytes', () => {
    const whole = message(stringField(1, 'é'), intField(2, 300), messageField(9, message()))
    expect(whole.size).toBe(Buffer.concat(whole.parts).length)
  })
})
