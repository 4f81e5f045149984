import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, instant, nullable } from '../../core/schema.ts'

import { notifyState } from './notify.ts'

export const membersMax = 100_000
export const accountMembersMax = 1_000_000
export const portfoliosMax = 100

/** A name has no dot, because a site as a name would stand in mails and logs. */
export const params = closedObject({
  name: Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
    takes: 'up to 64 lower-case letters, digits, "-" and "_", not "-" or "_" first',
    description: 'The name of the portfolio: up to 64 of `a-z`, `0-9`, `-` and `_`.',
    examples: ['merchants'],
  }),
})

export const note = nullable(Type.String({ maxLength: 500 }), { description: 'Your note about it.' })

export const position = Type.Integer({
  description: 'The number of the last verdict change at this moment, of all domains.',
})

export const portfolioMembers = {
  name: Type.String(),
  note,
  size: Type.Integer({ description: 'The number of members.' }),
  position,
  notify: notifyState,
  created_at: instant(),
  changed_at: instant({ description: 'When it was last written.' }),
}

export const unknownPortfolio = (name: string) =>
  new Failure('not_found', { message: `There is no portfolio "${name}".`, details: { value: name } })
