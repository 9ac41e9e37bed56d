/** The weights themselves: needed only to write the model. */
import { readSafetensors, type Weights } from './safetensors.ts'
import { inPackage } from './weights.ts'

export function readWeights(): Weights {
  return inPackage('model/model.fp16.safetensors', readSafetensors)
}
