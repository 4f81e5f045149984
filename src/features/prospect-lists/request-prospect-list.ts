import { type Static, Type } from 'typebox'
import { closedObject, oneOf } from '../../core/schema.ts'
import { dayMs } from '../../core/time.ts'
import type { Database, Transaction, World } from '../../database/open.ts'
import { type Cadence, cadences } from './schemas.ts'
import { deleteUnhandledRequests, insertList, insertRequest } from './staff-lists-store.ts'

const nameCharactersMax = 200
const emailCharactersMax = 254
const requestCharactersMax = 5_000

const line = (description: string) => Type.String({ minLength: 1, maxLength: nameCharactersMax, description })

export const requestText = Type.String({
  minLength: 1,
  maxLength: requestCharactersMax,
  description: 'What you sell and to whom: markets, kinds of company, roles of people.',
})

export const prospectListForm = closedObject({
  name: line('Your name.'),
  email: Type.String({
    minLength: 1,
    maxLength: emailCharactersMax,
    format: 'email',
    description: 'Your e-mail address.',
  }),
  company: line('Your company.'),
  request: requestText,
  cadence: Type.Optional(
    oneOf(cadences, { default: 'one_time', description: 'How often to prepare the list.' }),
  ),
})

export type ProspectListForm = Static<typeof prospectListForm>

type Requested = Omit<ProspectListForm, 'cadence'> & { accountId: number | null; cadence: Cadence }

export async function insertRequested(tx: Transaction, requested: Requested, now: Date): Promise<string> {
  const { accountId, cadence, name, email, company, request } = requested
  const { id, ref } = await insertList(tx, { accountId, cadence, status: 'requested', requestedAt: now })
  await insertRequest(tx, id, { name: onOneLine(name), email, company: onOneLine(company), request }, now)
  return ref
}

export async function requestProspectList(
  world: World,
  { cadence = 'one_time', ...form }: ProspectListForm,
  now: Date,
): Promise<void> {
  await world.database
    .transaction()
    .execute(tx => insertRequested(tx, { ...form, accountId: null, cadence }, now))
}

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

/** The days after which an unhandled public request is deleted, because it contains personal data. */
export const unhandledRequestDays = 90

/** The most requests that one run deletes; the job runs every minute. */
const deletedMax = 1_000

export function purgeRequests(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - unhandledRequestDays * dayMs)
  return database.transaction().execute(tx => deleteUnhandledRequests(tx, before, deletedMax))
}
