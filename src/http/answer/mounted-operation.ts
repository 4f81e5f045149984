import { once } from '../../core/once.ts'
import type { AnyOperation } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { inputReader, type RawInput } from '../read/read-input.ts'
import type { Input } from '../read/read-parameters.ts'
import { templateFingerprints } from './demo-templates.ts'
import { type RenderSuccess, successRenderer } from './envelope.ts'

export type MountedOperation = {
  operation: AnyOperation<World>
  readInput(raw: RawInput): Input
  render: RenderSuccess
  demoFingerprints(): ReadonlySet<string>
}

export function prepareOperation(operation: AnyOperation<World>): MountedOperation {
  const readInput = inputReader(operation)
  const demoFingerprints = once(() =>
    templateFingerprints(operation, template => {
      const input = readInput(template)
      return operation.canonical?.(input) ?? input
    }),
  )
  return { operation, readInput, render: successRenderer(operation), demoFingerprints }
}
