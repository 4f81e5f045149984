import { counted } from '@baize/names'
import type pg from 'pg'
import type { Transaction, World } from '../database/open.ts'
import { verifyLedgerDays } from '../features/account/index.ts'
import { verifyCompanies } from '../features/companies/index.ts'
import {
  verifyListings,
  verifyObservations,
  verifyObserved,
  verifyVerdicts,
} from '../features/domains/index.ts'
import { verifyChecks } from '../features/enrichments/index.ts'
import { verifyExports } from '../features/exports/index.ts'
import { verifyLobbyRuns } from '../features/lobbies/index.ts'
import { verifyLogoSubjects } from '../features/logos/index.ts'
import { verifySearchRows } from '../features/search/index.ts'
import { verifySignals } from '../features/signals/index.ts'
import { verifyVerdictChanges } from '../features/verdict-changes/index.ts'
import { verifyBalances, verifySettlements } from '../metering/ledger.ts'
import { findMisjudgedEntries } from '../registers/index.ts'
import { verifyReplay } from './replay.ts'
import { compareConsistently } from './replay-store.ts'

type Check = { name: string; note: string | null; differences: unknown[] }
export type VerifyReport = { ok: boolean; checks: Check[] }

type Compared = { note?: string; differences: unknown[] }

/** What is compared, by what must be true. */
const derivedChecks: Record<string, (tx: Transaction) => Promise<Compared>> = {
  'balances are the sums of their ledger entries': async tx => ({ differences: await verifyBalances(tx) }),
  'sums of finished days are those of their ledger entries': async tx => ({
    differences: await verifyLedgerDays(tx),
  }),
  'settlements, ledger entries and stored answers agree': async tx => ({
    differences: await verifySettlements(tx),
  }),
  'charges of exports match their rows': async tx => ({ differences: await verifyExports(tx) }),
  'checks of sites have their reservations and charges': async tx => ({
    differences: await verifyChecks(tx),
  }),
  'lobby runs have their reservations and charges': async tx => ({ differences: await verifyLobbyRuns(tx) }),
  'scopes of blocklist entries follow from their published text': async tx => {
    const { checked, wrong } = await findMisjudgedEntries(tx)
    return { note: counted(checked, 'entry', 'entries'), differences: wrong }
  },
  'verdicts follow from the open register facts': async tx => {
    const { checked, differences } = await verifyVerdicts(tx)
    return { note: counted(checked, 'domain'), differences }
  },
  'companies follow from their identities': async tx => {
    const { checked, differences } = await verifyCompanies(tx)
    return { note: counted(checked, 'company', 'companies'), differences }
  },
  'search listings and counts follow from the verdicts': async tx => ({
    differences: await verifyListings(tx),
  }),
  'observations follow from imports and findings of checks': async tx => ({
    differences: await verifyObservations(tx),
  }),
  'platforms and payment rails of domains follow from observations': async tx => ({
    differences: await verifyObserved(tx),
  }),
  'rows of company and license search follow from the facts': async tx => {
    const { checked, differences } = await verifySearchRows(tx)
    return { note: `${checked} companies and licenses`, differences }
  },
  'logo subjects follow from the names of companies, brands and sites': async tx => {
    const { checked, differences } = await verifyLogoSubjects(tx)
    return { note: counted(checked, 'subject'), differences }
  },
  'signals are numbered without gaps, and counted': async tx => ({ differences: await verifySignals(tx) }),
  'verdict changes are numbered without gaps, and follow from the recorded facts': async tx => {
    const { checked, differences } = await verifyVerdictChanges(tx)
    return { note: counted(checked, 'change'), differences }
  },
}
const replayed = 'replaying the recorded history gives the same facts, verdicts and signals'

/**
 * Recomputes all derived data and the money from their sources. With a connection, it also replays the
 * recorded history into a separate schema. It is safe while the service runs.
 */
export async function verifyAll(
  world: World,
  replayOver: pg.PoolConfig | null = null,
  onProgress: (doing: string) => void = () => {},
): Promise<VerifyReport> {
  const checks = await verifyDerived(world, onProgress)
  if (replayOver !== null) {
    const { note, differences } = await verifyReplay(world, replayOver, onProgress)
    checks.push({ name: replayed, note, differences })
  }
  return { ok: checks.every(check => check.differences.length === 0), checks }
}

/** Reads everything from one snapshot of the database. */
function verifyDerived(world: World, onProgress: (doing: string) => void): Promise<Check[]> {
  return compareConsistently(world, async tx => {
    const checks: Check[] = []
    for (const [name, compare] of Object.entries(derivedChecks)) {
      onProgress(name)
      const { note = null, differences } = await compare(tx)
      checks.push({ name, note, differences })
    }
    return checks
  })
}
