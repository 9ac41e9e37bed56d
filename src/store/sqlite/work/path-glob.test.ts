import { expect, it } from 'vitest'
import { processorTime } from '../../../../test/helpers/processor-time.ts'
import { pathMatcher } from './path-glob.ts'

it.each<readonly [glob: string, yes: readonly string[], no: readonly string[]]>([
  [
    'explain.go',
    ['/a/b/explain.go', 'explain.go', '/A/Explain.GO', 'C:\\a\\explain.go', '/explain.go/b'],
    ['/a/xexplain.go', '/a/explainxgo'],
  ],
  ['store/*.ts', ['/a/store/b.ts', 'store/.ts'], ['/a/store/b/c.ts', '/a/restore/b.ts']],
  ['src/**/*.ts', ['/x/src/a.ts', '/x/src/a/b/c.ts'], ['/x/src.ts', '/x/src/a.js']],
  ['**/a.ts', ['a.ts', '/a.ts', '/b/c/a.ts'], ['/ba.ts']],
  ['**', ['/a', 'b/c'], []],
  ['/home/*/x', ['/home/ada/x'], ['/home/ada/b/x', 'y/home/ada/x']],
  ['src/', ['/x/src/a', '/x/src/a/b'], ['/x/srca', '/x/a/src']],
  ['src/**', ['/x/src/a/b'], ['/x/srcs/a']],
  ['*.{ts,go}', ['/a/b.ts', '/a/b.go'], ['/a/b.tsx', '/a/b.{ts,go']],
  ['{src,test}/**/{a,b{c,d}}.ts', ['src/a.ts', '/x/test/y/bd.ts'], ['src/b.ts']],
  ['a?c.[jt]s', ['abc.js', 'aüc.ts'], ['a/c.js', 'abc.cs']],
  ['[!a]b', ['cb'], ['ab']],
  ['[a-c]x', ['bx'], ['dx']],
  ['app/[id]/page.tsx', ['/x/app/[id]/page.tsx', '/x/app/i/page.tsx'], []],
  ['a{b', ['a{b'], ['ab']],
  ['[[[', ['/x/[[['], ['x']],
  ['./a.ts', ['/x/a.ts'], []],
  ['.env', ['/x/.env'], ['/x/aenv']],
  ['*', ['/x/.env', 'a'], []],
])('%s', (glob, yes, no) => {
  const matches = pathMatcher(glob)
  expect(yes.filter((path) => !matches(path))).toEqual([])
  expect(no.filter(matches)).toEqual([])
})

it('takes no time to speak of, whatever the glob and the path', () => {
  const paths = ['a'.repeat(1000), `/${'a/'.repeat(500)}z.ts`, 'ab/'.repeat(400)]
  const globs = ['*a', '**/a/', '{a,b}', '{a,b,{c,a}}*', '[ab]*', '*?', '**', '{', '[', '!(', '+(a|aa)'].map(
    (part) => `${part.repeat(60)}q`,
  )
  const spent = processorTime()
  for (const glob of globs) for (const path of paths) pathMatcher(glob)(path)
  expect(spent()).toBeLessThan(20_000)
}, 60_000)
