import { Type } from 'typebox'
import { closedObject, oneOf } from '../../core/schema.ts'
import { decideName, listDoubtfulNames } from '../licensee-names/index.ts'
import { type AnswerOf, defineSessionOperation } from '../session-operation.ts'
import { asProblem } from './as-problem.ts'

const listNames = defineSessionOperation({
  name: 'list_doubtful_names',
  method: 'GET',
  path: '/dashboard/staff/names',
  access: 'staff',
  summary: 'Names of licensees that may be those of natural persons, and are not decided',
  failures: [],
  answer: ({ world: { database } }) => listDoubtfulNames(database),
})

export type NameList = AnswerOf<typeof listNames>

const decide = defineSessionOperation({
  name: 'decide_name',
  method: 'POST',
  path: '/dashboard/staff/names',
  access: 'staff',
  stepUp: true,
  summary: 'Decide for ever whether a name is that of a person or of a firm',
  form: closedObject({
    name: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
    kind: oneOf(['person', 'firm']),
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
  }),
  failures: ['invalid_parameter'],
  answer: ({ world, session, now }, { name, kind, reason: why }) =>
    asProblem('reason', async () =>
      decideName(world, { name, isPerson: kind === 'person', why, now, by: session }),
    ),
})

export const nameReviewOperations = [listNames, decide]
