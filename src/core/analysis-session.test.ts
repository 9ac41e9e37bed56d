import { expect, it } from 'vitest'
import { ANALYSIS_MARK, isAnalysisFolder, isAnalysisPrompt } from './analysis-session.ts'

it.each([
  ['/tmp/mnemonic-analysis-a1B2c3', true],
  ['/private/var/folders/x/T/mnemonic-analysis-a1B2c3/', true],
  ['C:\\Users\\ada\\Temp\\mnemonic-analysis-a1B2c3', true],
  ['-tmp-mnemonic-analysis-a1B2c3', true],
  ['/home/ada/mnemonic-analysis', false],
  ['/home/ada/mnemonic-analysis-of-logs', false],
  ['/home/ada/my-mnemonic', false],
])('%s is a folder of an analysis: %s', (path, is) => expect(isAnalysisFolder(path)).toBe(is))

it('a prompt is known by its first line, and by nothing that stands further down', () => {
  expect(isAnalysisPrompt(`\n${ANALYSIS_MARK}\n\nRead this.`)).toBe(true)
  expect(isAnalysisPrompt(`What is this?\n${ANALYSIS_MARK}`)).toBe(false)
})
