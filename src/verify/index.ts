import type { World } from '../database/open.ts'
import { verifyObserved } from '../dataset/derive-observed-store.ts'
import { verifyListings, verifyVerdicts } from '../features/domains/index.ts'
import { verifyBalances, verifySettlements } from '../metering/ledger.ts'

export type Check = { name: string; note: string | null; differences: unknown[] }
export type VerifyReport = { ok: boolean; checks: Check[] }

/** Recomputes everything that is derived, and the money, from what it derives from. Reads only. */
export async function verifyAll(world: World): Promise<VerifyReport> {
  const { database } = world
  const verdicts = await verifyVerdicts(database)
  const checks: Check[] = [
    { name: 'balances are the sums of their ledger entries', note: null, differences: await verifyBalances(database) },
    { name: 'settlements, ledger lines and kept answers agree', note: null, differences: await verifySettlements(database) },
    {
      name: 'verdicts follow from the open register facts',
      note: `${verdicts.checked} domains`,
      differences: verdicts.differences,
    },
    { name: 'search listings and counts follow from the verdicts', note: null, differences: await verifyListings(database) },
    { name: 'platforms and payment rails of domains follow from what was observed', note: null, differences: await verifyObserved(database) },
  ]
  return { ok: checks.every(check => check.differences.length === 0), checks }
}
