import { findMarket, hasPlausibleYear } from '@baize/names'
import { type RegimeEntry, regimeStates, regimeVerticals } from '@baize/registers/entries'
import { newRef } from '../../core/ref.ts'
import type { Session } from '../../core/session-operation.ts'
import { StaffError } from '../../core/staff-error.ts'
import type { Transaction, World } from '../../database/open.ts'
import { recordAuditEvent } from '../audit/index.ts'
import { requireReason, requireSource } from '../staff-decision-store.ts'
import {
  closeRegime,
  findOverlap,
  insertRegime,
  lockRegimes,
  publishRegime,
  readStaffRegimes,
  type StaffRegime,
} from './regimes-store.ts'

/** The person of staff who acts, or null for a command of the operator, and the time. */
type Act = { by: Pick<Session, 'userId' | 'email'> | null; now: Date }
export type RegimeReport = { regime_ref: string; status: StaffRegime['status'] }

const noteCharactersMax = 300

/** Proposes a regime. Nothing of it is public until `approveRegime`. */
export function enterRegime(
  world: World,
  entry: RegimeEntry,
  { why, by, now }: Act & { why: string },
): Promise<RegimeReport> {
  checkEntry(entry)
  requireReason(why, 'Give a reason. Only staff see it.')
  return changing(world, async tx => {
    const ref = newRef('reg')
    await insertRegime(tx, { ...entry, ref, why, enteredBy: by?.email ?? null, now })
    await audit(tx, 'regime.entered', { ...entry, regime_ref: ref }, { by, now, why })
    return { regime_ref: ref, status: 'proposed' }
  })
}

/** Publishes a proposed regime. On the page, the person who entered it cannot approve it. */
export function approveRegime(world: World, ref: string, act: Act): Promise<RegimeReport> {
  return changing(world, async tx => publish(tx, await requireRegime(tx, ref), act))
}

async function publish(tx: Transaction, row: StaffRegime, { by, now }: Act): Promise<RegimeReport> {
  if (row.status !== 'proposed')
    throw new StaffError(`${row.regime_ref} is ${row.status}. Only proposed regimes can be approved.`)
  if (by !== null && row.entered_by === by.email)
    throw new StaffError('You entered it. Another person of staff must approve it.')
  if (row.ends_id !== null) {
    const [ended] = await readStaffRegimes(tx, { ref: row.ends as string })
    if (ended?.status !== 'approved') throw new StaffError(`${row.ends} was closed meanwhile. Withdraw this.`)
    await closeRegime(tx, row.ends_id, now)
  }
  const isRetraction = row.to !== null && row.to < row.from
  const overlap = isRetraction ? null : await findOverlap(tx, row)
  if (overlap !== null)
    throw new StaffError(`${overlap} has days of the same market and vertical. End that one first.`)
  await publishRegime(tx, row.id, by?.email ?? null, now)
  await audit(tx, 'regime.approved', row, { by, now })
  return { regime_ref: row.regime_ref, status: isRetraction ? 'closed' : 'approved' }
}

/**
 * Proposes the last day of an approved regime; a day before its first states that it never applied. The
 * approval closes the row and publishes another. A command approves at once.
 */
export function endRegime(
  world: World,
  ref: string,
  { on, why, by, now }: Act & { on: string; why: string },
): Promise<RegimeReport> {
  checkDay('on', on)
  requireReason(why, 'Give a reason. Only staff see it.')
  return changing(world, async tx => {
    const row = await requireRegime(tx, ref)
    if (row.status !== 'approved')
      throw new StaffError(`${ref} is ${row.status}. Only approved regimes can be ended.`)
    const ending = {
      ...row,
      ref: newRef('reg'),
      to: on,
      why,
      enteredBy: by?.email ?? null,
      now,
      endsId: row.id,
    }
    await insertRegime(tx, ending)
    await audit(tx, 'regime.end_entered', { ...row, to: on }, { by, now, why })
    return by === null
      ? publish(tx, await requireRegime(tx, ending.ref), { by, now })
      : { regime_ref: ending.ref, status: 'proposed' }
  })
}

/** Withdraws a proposed regime, which never becomes public. */
export function withdrawRegime(world: World, ref: string, { by, now }: Act): Promise<RegimeReport> {
  return changing(world, async tx => {
    const row = await requireRegime(tx, ref)
    if (row.status !== 'proposed')
      throw new StaffError(`${ref} is ${row.status}. Only proposed regimes can be withdrawn.`)
    await closeRegime(tx, row.id, now)
    await audit(tx, 'regime.withdrawn', row, { by, now })
    return { regime_ref: ref, status: 'withdrawn' }
  })
}

function changing<Result>(world: World, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return world.database.transaction().execute(async tx => {
    await lockRegimes(tx)
    return work(tx)
  })
}

async function requireRegime(tx: Transaction, ref: string): Promise<StaffRegime> {
  const [row] = await readStaffRegimes(tx, { ref })
  if (row === undefined) throw new StaffError(`Unknown regime "${ref}". "regime list" lists all.`)
  return row
}

async function audit(
  tx: Transaction,
  action: string,
  { regime_ref: ref, market, vertical, state, from, to }: RegimeEntry & { regime_ref: string },
  { by, now, why }: Act & { why?: string },
): Promise<void> {
  const details = { market, vertical, state, from, to, ...(why === undefined ? {} : { why }) }
  await recordAuditEvent(tx, by, { action, subject: ref, accountId: null, details, now })
}

function checkEntry({ market, vertical, state, from, to, source_url: source, note }: RegimeEntry): void {
  if (findMarket(market) === undefined)
    throw new StaffError(`Unknown market "${market}". "register list --markets" lists all.`)
  if (!regimeVerticals.includes(vertical))
    throw new StaffError(`"vertical" must be one of ${regimeVerticals.join(', ')}.`)
  if (!regimeStates.includes(state))
    throw new StaffError(`"state" must be one of ${regimeStates.join(', ')}.`)
  checkDay('from', from)
  if (to !== null) checkDay('to', to)
  if (to !== null && to < from) throw new StaffError('The last day must not be before the first day.')
  requireSource(source)
  if (note !== null && note.length > noteCharactersMax)
    throw new StaffError(`"note" must have at most ${noteCharactersMax} characters.`)
}

function checkDay(name: string, day: string): void {
  const date = new Date(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && day.length === 10
  if (!isDay || !hasPlausibleYear(date)) throw new StaffError(`"${name}" must be a day, such as 2026-09-25.`)
}
