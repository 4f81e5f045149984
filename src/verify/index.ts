import { counted } from '@baize/names'
import type pg from 'pg'
import type { World } from '../database/open.ts'
import { readConsistently } from '../database/read-consistently.ts'
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

type Check = { name: string; note: string | null; differences: unknown[] }
export type VerifyReport = { ok: boolean; checks: Check[] }

/**
 * Recomputes all derived data and the money from their sources. With a connection, it also replays the
 * recorded history into a separate schema. It is safe while the service runs.
 */
export async function verifyAll(
  world: World,
  replayOver: pg.PoolConfig | null = null,
): Promise<VerifyReport> {
  const checks = await verifyDerived(world)
  if (replayOver !== null) {
    const name = 'replaying the recorded history gives the same facts, verdicts and signals'
    checks.push({ name, ...(await verifyReplay(world, replayOver)) })
  }
  return { ok: checks.every(check => check.differences.length === 0), checks }
}

/** Reads everything from one snapshot of the database. */
function verifyDerived(world: World): Promise<Check[]> {
  return readConsistently(world, async tx => {
    const verdicts = await verifyVerdicts(tx)
    const entries = await findMisjudgedEntries(tx)
    const companies = await verifyCompanies(tx)
    const searched = await verifySearchRows(tx)
    const subjects = await verifyLogoSubjects(tx)
    const changes = await verifyVerdictChanges(tx)
    const checks: Check[] = [
      {
        name: 'balances are the sums of their ledger entries',
        note: null,
        differences: await verifyBalances(tx),
      },
      {
        name: 'sums of finished days are those of their ledger entries',
        note: null,
        differences: await verifyLedgerDays(tx),
      },
      {
        name: 'settlements, ledger entries and stored answers agree',
        note: null,
        differences: await verifySettlements(tx),
      },
      {
        name: 'charges of exports match their rows',
        note: null,
        differences: await verifyExports(tx),
      },
      {
        name: 'checks of sites have their reservations and charges',
        note: null,
        differences: await verifyChecks(tx),
      },
      {
        name: 'lobby runs have their reservations and charges',
        note: null,
        differences: await verifyLobbyRuns(tx),
      },
      {
        name: 'scopes of blocklist entries follow from their published text',
        note: counted(entries.checked, 'entry', 'entries'),
        differences: entries.wrong,
      },
      {
        name: 'verdicts follow from the open register facts',
        note: counted(verdicts.checked, 'domain'),
        differences: verdicts.differences,
      },
      {
        name: 'companies follow from their identities',
        note: counted(companies.checked, 'company', 'companies'),
        differences: companies.differences,
      },
      {
        name: 'search listings and counts follow from the verdicts',
        note: null,
        differences: await verifyListings(tx),
      },
      {
        name: 'observations follow from imports and findings of checks',
        note: null,
        differences: await verifyObservations(tx),
      },
      {
        name: 'platforms and payment rails of domains follow from observations',
        note: null,
        differences: await verifyObserved(tx),
      },
      {
        name: 'rows of company and license search follow from the facts',
        note: `${searched.checked} companies and licenses`,
        differences: searched.differences,
      },
      {
        name: 'logo subjects follow from the names of companies, brands and sites',
        note: counted(subjects.checked, 'subject'),
        differences: subjects.differences,
      },
      {
        name: 'signals are numbered without gaps, and counted',
        note: null,
        differences: await verifySignals(tx),
      },
      {
        name: 'verdict changes are numbered without gaps, and follow from the recorded facts',
        note: counted(changes.checked, 'change'),
        differences: changes.differences,
      },
    ]
    return checks
  })
}
