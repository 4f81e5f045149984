/** Screens portfolios: a job buys the verdicts of all members, as known at one moment, in batches. */
import type { World } from '../../database/open.ts'
import { settleInTransaction } from '../../metering/ledger.ts'
import { charge, prices, totalCredits } from '../../metering/pricing.ts'
import { newSettlementId } from '../../metering/settlement-id.ts'
import { accountFigures } from '../account/index.ts'
import { readVerdictsThen, resolveDomainsName } from '../domains/index.ts'
import {
  type RunningScreening,
  readScreened,
  type Screened,
  stopScreening,
  storeBatch,
} from './screenings-store.ts'

/** The most domains of a request for verdicts, too. */
const batchMax = 1_000

/**
 * Screens the next members, as many as the balance and the price on the button allow. The charge, the
 * verdicts and the position are one commit, so that a killed worker neither loses nor repeats a charge.
 */
export async function screenBatch(world: World, screening: RunningScreening, now: () => Date): Promise<void> {
  const startedAt = now()
  const { account_id: accountId, credits_left: left, known_at: knownAt } = screening
  const portfolio = { portfolioId: screening.portfolio_id, after: screening.position }
  const figures = await world.primary.readByKey(accountFigures, String(accountId))
  const { granted = 0, used = 0, reserved = 0 } = figures ?? {}
  const available = granted === null ? left : granted - used - reserved
  const affordable = Math.floor(Math.min(left, available) / prices['domain.verdict'].credits)
  const sites = Math.min(batchMax, affordable)
  const members = sites > 0 ? await readScreened(world.database, portfolio, sites) : []
  const last = members.at(-1)
  if (last === undefined) return stopScreening(world.database, screening, startedAt)
  const verdicts = await verdictsOf(
    world,
    members.map(each => each.domain),
    knownAt,
  )
  const charges = [charge('domain.verdict', members.length)]
  const credits = totalCredits(charges)
  const isPaid = await world.database
    .transaction()
    .execute(async tx => {
      if (!(await storeBatch(tx, screening, { verdicts, last: last.id, credits }))) return true
      const { outcome } = await settleInTransaction(tx, {
        kind: 'charge',
        accountId,
        settlementId: newSettlementId(),
        credits,
        charges,
        note: 'screening of a portfolio',
        answer: { status: 200 },
        usage: {
          requestedAt: startedAt,
          endpoint: resolveDomainsName,
          durationMs: now().getTime() - startedAt.getTime(),
          requestParams: JSON.stringify({ known_at: knownAt.toISOString() }),
          source: 'job',
          client: { client_version: 'dashboard' },
          keyId: null,
        },
      })
      if (outcome === 'settled') return true
      throw outcome === 'quota_exceeded'
        ? new BalanceEnded()
        : new Error(`a batch was not charged: ${outcome}`)
    })
    .catch(error => {
      if (error instanceof BalanceEnded) return false
      throw error
    })
  // Another request spent the balance after it was read.
  if (!isPaid) await stopScreening(world.database, screening, now())
}

/** Rolls a batch back. */
class BalanceEnded extends Error {}

async function verdictsOf(world: World, domains: readonly string[], knownAt: Date): Promise<Screened[]> {
  const rows = await readVerdictsThen(world, domains, knownAt)
  return domains.map((domain, place) => {
    const { id = null, verdict, licensed_by, blocked_by } = rows[place] ?? {}
    return {
      domain,
      verdict: (id !== null && verdict) || 'no_record',
      licensed_in: marketsIn(id === null ? undefined : licensed_by),
      blocked_in: marketsIn(id === null ? undefined : blocked_by),
    }
  })
}

const marketsIn = (json = '[]') => [...new Set((JSON.parse(json) as { geo: string }[]).map(({ geo }) => geo))]
