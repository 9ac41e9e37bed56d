import { expect, it } from 'vitest'
import { HOSTILE } from '../../test/helpers/hostile-text.ts'
import { sessionFiles } from './session-files.ts'

const options = { project: '/home/ada/app', most: 10 }

it('changed files come apart from those that were only read, relative to the project', () => {
  const calls = [
    { name: 'Read', params: { file_path: '/home/ada/app/src/a.ts' } },
    { name: 'Read', params: { file_path: '/home/ada/app/src/b.ts' } },
    { name: 'Edit', params: { file_path: '/home/ada/app/src/b.ts', old_string: 'x' } },
    { name: 'Write', params: { file_path: '/etc/hosts' } },
    { name: 'Bash', params: { command: 'rm -rf /' } },
  ]
  expect(sessionFiles(calls, options)).toEqual({ changed: ['src/b.ts', '/etc/hosts'], read: ['src/a.ts'] })
})

it('the files of a patch are found in a text and in a list', () => {
  const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n*** Add File: docs/b.md\n+x\n*** End Patch'
  expect(sessionFiles([{ name: 'apply_patch', params: patch }], options).changed).toEqual(['src/a.ts', 'docs/b.md'])
  expect(sessionFiles([{ name: 'shell', params: { command: ['apply_patch', patch] } }], options).changed).toEqual(['src/a.ts', 'docs/b.md'])
  expect(sessionFiles([{ name: 'exec', params: { input: patch } }], options).changed).toEqual(['src/a.ts', 'docs/b.md'])
})

it('other shapes of parameters, addresses, patterns and secrets give nothing', () => {
  const params = [
    null,
    7,
    [],
    { path: 7 },
    { path: 'https://example.com/x' },
    { path: 'src/**/*.ts' },
    { path: '' },
    { path: `gh${'p_'}${'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZaB3d'}` },
  ]
  expect(
    sessionFiles(
      params.map((one) => ({ name: 'Edit', params: one })),
      options,
    ),
  ).toEqual({ changed: [], read: [] })
})

it('no hostile path breaks a line', () => {
  const calls = HOSTILE.map((path) => ({ name: 'Edit', params: { path } }))
  for (const path of sessionFiles(calls, { project: null, most: 1000 }).changed) expect(path).not.toMatch(/[\x00-\x1f|<>]|\u2028/)
})

it('no more than asked for', () => {
  const calls = Array.from({ length: 50 }, (_, i) => ({ name: 'Edit', params: { path: `f${i}.ts` } }))
  expect(sessionFiles(calls, options).changed.length).toBe(10)
})
