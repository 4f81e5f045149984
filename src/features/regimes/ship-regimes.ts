import { type RegimeEntry, shippedRegimes } from '@baize/registers/entries'
import { newRef } from '../../core/ref.ts'
import type { Transaction, World } from '../../database/open.ts'
import { recordAuditEvent } from '../audit/index.ts'
import {
  closeRegime,
  findOverlap,
  insertRegime,
  lockRegimes,
  publishRegime,
  readShippedRegimes,
} from './regimes-store.ts'

/** Stands for the program as the author of the regimes that it ships. */
const author = 'baize'
const why = 'Shipped with the program.'

/**
 * Publishes the regimes of this release, and its corrections of earlier ones. What staff closed stays closed,
 * and a row of staff with days of the same market and vertical takes precedence.
 */
export function shipRegimes(world: World, now: Date, shipped: readonly RegimeEntry[] = shippedRegimes) {
  return world.database.transaction().execute(async tx => {
    await lockRegimes(tx)
    const stored = await readShippedRegimes(tx)
    for (const entry of shipped) {
      const key = [entry.market, entry.vertical, entry.state, entry.from].join(' ')
      const own = stored.filter(row => row.shipped_key === key)
      const open = own.find(row => row.is_open)
      if (open === undefined ? own.length > 0 : isSame(open, entry)) continue
      if (open !== undefined) await closeRegime(tx, open.id, now)
      if ((await findOverlap(tx, { ...entry, id: 0 })) === null) await ship(tx, entry, key, now)
    }
  })
}

const isSame = (one: RegimeEntry, other: RegimeEntry) =>
  one.to === other.to && one.source_url === other.source_url && one.note === other.note

async function ship(tx: Transaction, entry: RegimeEntry, shippedKey: string, now: Date): Promise<void> {
  const ref = newRef('reg')
  const id = await insertRegime(tx, { ...entry, ref, why, enteredBy: author, now, shippedKey })
  await publishRegime(tx, id, author, now)
  const { market, vertical, state, from, to } = entry
  const details = { market, vertical, state, from, to, by: author }
  await recordAuditEvent(tx, null, { action: 'regime.shipped', subject: ref, accountId: null, details, now })
}
