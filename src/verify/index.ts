import type { World } from '../database/open.ts'
import { readAtOneMoment } from '../database/read-at-one-moment.ts'
import { verifyListings, verifyObserved, verifyVerdicts } from '../features/domains/index.ts'
import { verifyBalances, verifySettlements } from '../metering/ledger.ts'

export type Check = { name: string; note: string | null; differences: unknown[] }
export type VerifyReport = { ok: boolean; checks: Check[] }

/**
 * Recomputes everything that is derived, and the money, from what it derives from. Reads only, and all of it at one
 * moment, so that it may run beside the service.
 */
export function verifyAll(world: World): Promise<VerifyReport> {
  return readAtOneMoment(world, async tx => {
    const verdicts = await verifyVerdicts(tx)
    const checks: Check[] = [
      {
        name: 'balances are the sums of their ledger entries',
        note: null,
        differences: await verifyBalances(tx),
      },
      {
        name: 'settlements, ledger lines and kept answers agree',
        note: null,
        differences: await verifySettlements(tx),
      },
      {
        name: 'verdicts follow from the open register facts',
        note: `${verdicts.checked} domains`,
        differences: verdicts.differences,
      },
      {
        name: 'search listings and counts follow from the verdicts',
        note: null,
        differences: await verifyListings(tx),
      },
      {
        name: 'platforms and payment rails of domains follow from what was observed',
        note: null,
        differences: await verifyObserved(tx),
      },
    ]
    return { ok: checks.every(check => check.differences.length === 0), checks }
  })
}
