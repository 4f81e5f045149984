import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { type Actor, recordAuditEvent } from '../audit/index.ts'
import { insertKey, retireKey, revokeReceiptKey } from './keys-store.ts'

const reasonCharactersMax = 200

type Rotation = {
  now: Date
  by: Actor
  /** The key that shall no longer be trusted, and the published reason. */
  revoke?: { kid: string; why: string } | undefined
}

/** Makes a new key for receipts. The former one stays listed, and its receipts verify unless it is revoked. */
export function rotateReceiptKey({ database }: World, { now, by, revoke }: Rotation) {
  const length = revoke?.why.trim().length
  if (length !== undefined && (length === 0 || length > reasonCharactersMax))
    throw new StaffError(`The reason must have 1 to ${reasonCharactersMax} characters.`)
  return database.transaction().execute(async tx => {
    const retired = await retireKey(tx, now)
    if (revoke !== undefined) await revokeReceiptKey(tx, { ...revoke, now })
    const kid = await insertKey(tx, now)
    if (kid === null) throw new Error('another key signs receipts')
    const report = { kid, retired, revoked: revoke?.kid ?? null }
    await recordAuditEvent(tx, by, {
      action: 'receipt_key.rotated',
      subject: kid,
      accountId: null,
      details: { retired, revoked: report.revoked, ...(revoke === undefined ? {} : { why: revoke.why }) },
      now,
    })
    return report
  })
}
