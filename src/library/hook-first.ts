/**
 * Starts loading the embedding model in a thread if a prompt asks for the past. Loading takes longer than a search by words.
 * scripts/bundle-hook.js puts this into its own small file.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeGate } from '../embed/minilm/native-gate.ts'
import { type StartedWorker, startWorker } from '../embed/minilm/started-worker.ts'
import { ownWords, sentencesIn } from '../roles/reader/own-words.ts'
import { recallCue } from '../roles/reader/recall.ts'

/** Undefined if the prompt may need no memory, the model was never used, or another may be configured. */
export function beginModel(prompt: string, home: string): StartedWorker | undefined {
  const modelsFolder = join(home, 'models')
  if (!existsSync(modelsFolder) || mayNameAnother(home)) return undefined
  if (!sentencesIn(ownWords(prompt).text).some((sentence) => recallCue(sentence) !== undefined)) return undefined
  const started = startWorker({ modelsFolder, hurried: true })
  // Required even if no vector is requested: stopping a thread inside native code crashes the process.
  process.once('exit', () => closeGate(started.gate))
  return started
}

/** The configuration is not loaded yet: the word alone is reason to wait for it. */
function mayNameAnother(home: string): boolean {
  try {
    return /\bprovider\b/.test(readFileSync(join(home, 'config.yaml'), 'utf8'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
