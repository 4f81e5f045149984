/**
 * Starts a service on the small internet. Customers send requests over HTTP, and a worker checks sites with
 * the real code.
 */

import type { FileStore } from '@baize/files'
import { openFileStore } from '@baize/files'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { createLogger } from '../../src/config/logger.ts'
import { readSettings } from '../../src/config/settings.ts'
import { startBackgroundCheck, verifyChecks } from '../../src/features/enrichments/index.ts'
import { observedSectionNames } from '../../src/features/observed-sections.ts'
import { createWorkMetrics } from '../../src/instance/metrics.ts'
import { openSources } from '../../src/instance/open-sources.ts'
import { startJobs } from '../../src/instance/work.ts'
import { verifyBalances, verifySettlements } from '../../src/metering/ledger.ts'
import { createTestDirectory } from '../harness/directory.ts'
import { loadLines } from '../harness/load-lines.ts'
import { type Customer, type Response, startService, type TestService } from '../harness/service.ts'
import type { Scenario } from './scenario.ts'
import { type SmallInternet, startSmallInternet } from './start-small-internet.ts'

type StoredCheck = { id: number; state: string; reason: string | null; attempts: number }
type StoredFinding = { section: string; value_key: string; value: Record<string, unknown> }

export type CheckingService = TestService & {
  internet: SmallInternet
  files: FileStore
  /** The folder of the service's files. */
  folder: string
  /** Requests all sections and the launch profile of a domain after a new check. */
  resolve(customer: Customer, domain: string, headers?: Record<string, string>): Promise<Response>
  /** Runs the scenario's check for a customer, or in the background, where it returns null. */
  check(scenario: Scenario): Promise<Response | null>
  checksOf(domain: string): Promise<StoredCheck[]>
  /** Returns the findings in force. */
  findingsOf(domain: string): Promise<StoredFinding[]>
  startWorker(): Promise<{ stop(): Promise<void> }>
  expectConsistentBooks(): Promise<void>
}

const include = ['licenses', ...observedSectionNames, 'operator_launch_profile']
  .map(section => `&include[]=${section}`)
  .join('')

/** Pages are rendered only with the further setting RENDER. */
export async function startCheckingService(
  scenarios: readonly Scenario[],
  further: Record<string, string> = {},
  { isReachable = false }: { isReachable?: boolean } = {},
): Promise<CheckingService> {
  await using opening = new AsyncDisposableStack()
  const internet = await startSmallInternet(scenarios)
  opening.defer(() => internet.close())
  const directory = await createTestDirectory()
  opening.defer(() => directory.remove())
  const files = openFileStore({ kind: 'folder', path: directory.path })
  const settings = readSettings({ ...internet.environment, ...further })
  const service = await startService({
    files,
    isReachable,
    sources: live => openSources(settings, live, () => new Date()),
  })
  opening.defer(() => service.close())
  const { live, now, metrics } = service.service
  const workMetrics = createWorkMetrics(metrics)
  const { database } = live
  const licensed = scenarios.filter(each => each.licensed)
  if (licensed.length > 0) await loadLines(live, licensed.flatMap(licenseLines))

  const checksOf = async (domain: string) => {
    const { rows } = await sql<StoredCheck>`
      select checked.id, checked.state, checked.reason, checked.attempts
        from site_checks checked join domains on domains.id = checked.domain_id
       where domains.domain = ${domain}
       order by checked.id`.execute(database)
    return rows
  }
  const resolve: CheckingService['resolve'] = (customer, domain, headers = {}) =>
    customer.ask(`/v1/domains/resolve?domain=${domain}&max_age_days=0${include}`, { headers })
  const opened = opening.move()
  return {
    ...service,
    internet,
    files,
    folder: directory.path,
    resolve,
    checksOf,
    async check({ domain, background }) {
      if (!background) return resolve(await service.customer({ credits: 100 }), domain)
      const started = await database
        .transaction()
        .execute(tx => startBackgroundCheck(tx, { domain, askedBy: 'refresh', now: now() }))
      if (started !== null) await service.service.waits.wait(started.checkId, null)
      return null
    },
    async findingsOf(domain) {
      const { rows } = await sql<StoredFinding>`
        select finding.section, finding.value_key, finding.value
          from site_findings finding
          join site_checks checked on checked.reading_id = finding.reading_id
          join domains on domains.id = finding.domain_id
         where domains.domain = ${domain}
         order by finding.section, finding.value_key`.execute(database)
      return rows
    },
    startWorker: () =>
      startJobs({
        connection: service.database.connection,
        settings,
        files,
        log: createLogger('silent'),
        ...workMetrics,
      }),
    async expectConsistentBooks() {
      expect(await verifyBalances(database)).toEqual([])
      expect(await verifySettlements(database)).toEqual([])
      expect(await verifyChecks(database)).toEqual([])
    },
    close: () => opened.disposeAsync(),
  }
}

/** Returns an operator for this scenario, with a license that authorises the domain. */
function licenseLines({ domain, license }: Scenario, index: number): object[] {
  const company = `operator-${index}`
  const { number, holder } = license ?? {
    number: `MGA/B2C/${1_000 + index}/2020`,
    holder: `Operator ${index} Limited`,
  }
  const legal = { legal_entity: holder, subject_kind: 'legal_entity', country: 'MT' }
  const seen = { first_seen_at: '2024-01-15T06:00:00Z', last_seen_at: '2026-10-01T06:00:00Z' }
  return [
    { kind: 'company', key: company, company_name: holder, ...legal, role: ['operator'] },
    {
      kind: 'license',
      jurisdiction: 'mga',
      license_number: number,
      license_type: 'Gaming Service - B2C',
      status: 'Active',
      company,
      issued_at: '2020-01-01',
      authorized_domains: [domain],
      source_url: `https://registers.example/mga/${index}`,
      ...seen,
    },
  ]
}
