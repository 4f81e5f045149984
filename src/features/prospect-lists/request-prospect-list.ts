import { type Static, Type } from 'typebox'
import { closed, oneOf } from '../../core/schema.ts'
import type { World } from '../../database/open.ts'
import { cadences } from './list-values.ts'
import { insertList, insertRequest } from './staff-lists-store.ts'

const nameCharactersMax = 200
const emailCharactersMax = 254
const requestCharactersMax = 5_000

const line = (description: string) => Type.String({ minLength: 1, maxLength: nameCharactersMax, description })

export const prospectListForm = Type.Object(
  {
    name: line('Your name.'),
    email: Type.String({
      minLength: 1,
      maxLength: emailCharactersMax,
      format: 'email',
      description: 'Your e-mail address.',
    }),
    company: line('Your company.'),
    request: Type.String({
      minLength: 1,
      maxLength: requestCharactersMax,
      description: 'What you sell and to whom: markets, kinds of company, roles of people.',
    }),
    cadence: Type.Optional(
      oneOf(cadences, { default: 'one_time', description: 'How often to prepare the list.' }),
    ),
  },
  closed,
)

export type ProspectListForm = Static<typeof prospectListForm>

export async function requestProspectList(
  world: World,
  { cadence = 'one_time', ...form }: ProspectListForm,
  now: Date,
): Promise<void> {
  await world.database.transaction().execute(async tx => {
    const { id } = await insertList(tx, { accountId: null, cadence, status: 'requested', requestedAt: now })
    const { name, email, company, request } = form
    await insertRequest(tx, id, { name: onOneLine(name), email, company: onOneLine(company), request }, now)
  })
}

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
