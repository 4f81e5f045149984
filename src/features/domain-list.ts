import { readDomain } from '@baize/names'
import { Type } from 'typebox'
import type { Static } from '../core/operation.ts'
import { namedObject, oneOf } from '../core/schema.ts'
import { domainProblemMessage } from './inputs.ts'

export const inputPlace = {
  index: Type.Integer({ minimum: 0, description: 'The place in the list, counted from 0.' }),
  input: Type.String({ description: 'As it was sent.' }),
}

export const unresolvedInput = namedObject('UnresolvedInput', {
  ...inputPlace,
  code: oneOf(['invalid_domain']),
  message: Type.String(),
})

export type DomainList = {
  resolved: { index: number; sent: string; domain: string }[]
  unresolved: Static<typeof unresolvedInput>[]
  distinct: Set<string>
}

const emptyList = (): DomainList => ({ resolved: [], unresolved: [], distinct: new Set() })

/** Reads inputs into `list`. `first` is the index of the first one. */
export function readDomainList(inputs: readonly string[], list = emptyList(), first = 0): DomainList {
  for (const [at, sent] of inputs.entries()) {
    const index = first + at
    const reading = readDomain(sent)
    if (reading.ok) {
      list.resolved.push({ index, sent, domain: reading.domain })
      list.distinct.add(reading.domain)
    } else {
      const message = domainProblemMessage(reading.problem)
      list.unresolved.push({ index, input: sent, code: 'invalid_domain', message })
    }
  }
  return list
}
