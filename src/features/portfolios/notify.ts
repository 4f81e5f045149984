import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { wrongValue } from '../../core/failure.ts'
import type { Static } from '../../core/operation.ts'
import { closedObject, instant, nullable } from '../../core/schema.ts'
import type { Transaction } from '../../database/open.ts'
import { isMember, removeNotice, setNotice } from './notices-store.ts'

const secretBytes = 24

const mail = Type.String({ format: 'email', maxLength: 254, description: 'The address of a member.' })
const webhook = Type.String({
  pattern: '^https?:\\/\\/[^\\s\\/?#@]+([\\/?#]\\S*)?$',
  maxLength: 2_048,
  takes: 'an https URL without a user name',
  description: 'Receives a Standard Webhook.',
})

export const notifyInput = nullable(
  closedObject({ email: Type.Optional(mail), url: Type.Optional(webhook) }),
  { description: 'Whom to inform of new changes, at most once an hour. Absent: stays; null: nobody.' },
)

const channel = closedObject({
  to: Type.String(),
  last_sent_at: nullable(instant()),
  last_outcome: nullable(Type.String(), { description: '`delivered`, a status, or a reason.' }),
  disabled_at: nullable(instant(), { description: 'When messages ended. Send `notify` again to resume.' }),
})

export const notifyState = nullable(
  closedObject({ email: Type.Optional(channel), url: Type.Optional(channel) }),
  { description: 'Whom it informs of new changes. null: nobody.' },
)

export const notifySecret = Type.Optional(
  closedObject({ secret: Type.String({ description: 'Verifies messages to a new URL. Shown once.' }) }),
)

type Wanted = { portfolioId: number; accountId: number; notify: Static<typeof notifyInput>; now: Date }

/** Stores whom a portfolio informs. Returns the secret of a new URL. */
export async function writeNotify(
  tx: Transaction,
  { portfolioId, accountId, notify, now }: Wanted,
): Promise<{ notify?: { secret: string } }> {
  const email = notify?.email?.toLowerCase()
  if (email !== undefined && !(await isMember(tx, accountId, email)))
    throw wrongValue('notify.email', 'the address of a member of the account', 'unprocessable_body')
  const secret = randomBytes(secretBytes)
  let isNew = false
  for (const [channel, target] of [
    ['email', email],
    ['url', notify?.url],
  ] as const)
    if (target === undefined) await removeNotice(tx, portfolioId, channel)
    else isNew = await setNotice(tx, { portfolioId, channel, target, secret, now })
  return isNew && notify?.url !== undefined ? { notify: { secret: secretText(secret) } } : {}
}

const secretText = (secret: Buffer) => `whsec_${secret.toString('base64')}`
