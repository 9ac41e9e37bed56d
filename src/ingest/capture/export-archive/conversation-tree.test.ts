import { describe, expect, it } from 'vitest'
import { type TreeNode, treeOrder } from './conversation-tree.ts'

const order = (...nodes: [id: string, parent?: string | undefined, children?: string[]][]) => {
  const map = new Map<string, TreeNode>(nodes.map(([id, parent, children = []]) => [id, { id, parent, children }]))
  return treeOrder(map).map((node) => node.id)
}

describe('treeOrder', () => {
  it('puts every node behind its parent, however the source lists them', () => {
    expect(order(['c', 'b'], ['b', 'a'], ['a'])).toEqual(['a', 'b', 'c'])
  })

  it('keeps branches together, in the order of the parent’s own list', () => {
    expect(order(['r', undefined, ['b', 'a']], ['a', 'r'], ['b', 'r'], ['a1', 'a'], ['b1', 'b'])).toEqual(['r', 'b', 'b1', 'a', 'a1'])
  })

  it('finds children that the parent does not list', () => {
    expect(order(['r', undefined, ['b', 'gone']], ['a', 'r'], ['b', 'r'])).toEqual(['r', 'b', 'a'])
  })

  it('begins anew at a node whose parent is missing, and breaks a circle', () => {
    expect(order(['a', 'nowhere'], ['b', 'a'], ['x', 'y'], ['y', 'x'], ['self', 'self'])).toEqual(['a', 'b', 'x', 'y', 'self'])
  })

  it('goes deeper than a stack could', () => {
    const nodes = Array.from({ length: 50_000 }, (_, n): [string, string?] => (n === 0 ? ['0'] : [String(n), String(n - 1)]))
    expect(order(...nodes.toReversed())).toHaveLength(50_000)
  })
})
