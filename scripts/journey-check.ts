import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { createLogger } from '../src/config/logger.ts'
import { readSettings } from '../src/config/settings.ts'
import { isEligible } from '../src/features/domains/index.ts'
import { observedSectionNames } from '../src/features/observed-sections.ts'
import { createWorkMetrics } from '../src/instance/metrics.ts'
import { startJobs } from '../src/instance/work.ts'
import { prices } from '../src/metering/pricing.ts'
import { findingsOfCheck, listCaptures } from '../src/observation/index.ts'
import { loadScenarios, type Scenario } from '../test/small-internet/scenario.ts'
import { startSmallInternet } from '../test/small-internet/start-small-internet.ts'
import type { OwnService } from './own-service.ts'
import { requireThat } from './require-that.ts'

const pollEveryMs = 100
const candidatesMax = 100
const shownCharactersMax = 150

const refreshCredits = prices['domain.refresh'].credits
const sections = ['licenses', ...observedSectionNames, 'operator_launch_profile']
  .map(section => `&include[]=${section}`)
  .join('')

type Database = OwnService['service']['live']['database']
type Operator = { id: number; domain: string; legal_name: string; license_number: string }

/**
 * Requests a fresh check of a licensed domain over HTTP, while a worker checks its site in the small
 * internet. Prints the bill and the evidence. Returns the launch profile, or null if no domain has exactly
 * one licensed operator.
 */
export async function checkLicensedSite({ service, server, connection, apiKey }: OwnService) {
  const { live, files, metrics } = service
  const operator = await findOperator(live.database)
  if (operator === null) return null
  const { domain } = operator
  const get = async (url: string) => (await server.inject({ url, headers: { 'x-api-key': apiKey } })).json()
  const reserved = async () => (await get('/v1/account')).data.credits_reserved as number
  await using stack = new AsyncDisposableStack()
  const internet = await startSmallInternet([siteOf(operator)])
  stack.defer(() => internet.close())
  const asked = get(`/v1/domains/resolve?domain=${domain}&max_age_days=0${sections}`)
  while ((await Promise.race([asked.then(() => 1), reserved()])) === 0) await setTimeout(pollEveryMs)
  console.log(`${domain}: ${await reserved()} credits reserved before the check starts`)
  const worker = await startJobs({
    connection,
    settings: readSettings(internet.environment),
    files,
    // Only errors are logged, because the old files of the journey make every register stale, which is a
    // warning.
    log: createLogger('error'),
    ...createWorkMetrics(metrics),
  })
  stack.defer(() => worker.stop())
  const { data, errors } = await asked
  if (data === undefined) throw new Error(`${domain}: ${JSON.stringify(errors)}`)
  const { observations, billing, credits_charged: charged } = data
  const { enrichment_run: run, operator_launch_profile: profile } = observations
  console.log(`charged ${charged} for the answer; refresh ${JSON.stringify(billing.refresh)}`)
  console.log(`enrichment_run ${JSON.stringify(run)}; ${await reserved()} credits are still reserved`)
  console.log(`found ${JSON.stringify((await get(`/v1/enrichments/${run.enrichment_id}`)).data.found)}`)
  await printEvidence(live.database, domain)
  const isBilled = run.status === 'completed' && billing.refresh.status === 'charged'
  requireThat(isBilled && billing.refresh.credits === refreshCredits, 'the check is completed and charged')
  requireThat((await reserved()) === 0, 'no credits stay reserved')
  return profile
}

async function printEvidence(database: Database, domain: string): Promise<void> {
  const checkId = (await findLastCheck(database, domain)) as number
  for (const { url, status, failure, body_sha256 } of await listCaptures(database, checkId))
    console.log(`    ${url}: ${failure ?? status ?? 'answered'}, body ${body_sha256}`)
  for (const found of await findingsOfCheck(database, checkId)) {
    const { section, value, rule, snippet } = found
    console.log(shortened(`${section} ${JSON.stringify(value)}`))
    console.log(shortened(`    by ${rule}${snippet === null ? '' : `: “${snippet}”`}`))
  }
}

async function findLastCheck(database: Database, domain: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select checked.id
      from site_checks checked join domains domain on domain.id = checked.domain_id
     where domain.domain = ${domain}
     order by checked.id desc
     limit 1`.execute(database)
  return rows[0]?.id
}

/** Returns the first domain by name that has exactly one licensed operator. */
async function findOperator(database: Database): Promise<Operator | null> {
  const { rows } = await sql<Operator>`
    select domain.id, domain.domain, min(coalesce(company.legal_entity, company.company_name)) as legal_name,
           min(state.license_number) as license_number
      from authorisations listed
      join domains domain on domain.id = listed.domain_id
      join licenses license on license.id = listed.license_id
      join license_states state on state.license_id = license.id and state.known_to is null
      join companies company on company.id = coalesce(listed.company_id, license.company_id)
     where listed.known_to is null
       and state.license_number is not null
       and 'operator' = any (company.role)
     group by domain.id
    having count(distinct company.id) = 1 and count(distinct state.license_number) = 1
     order by domain.domain collate "C"
     limit ${candidatesMax}`.execute(database)
  for (const operator of rows) if (await isEligible(database, operator.id)) return operator
  return null
}

/** Returns the casino of the tests with this domain and the claims of this operator. */
function siteOf({ domain, legal_name, license_number }: Operator): Scenario {
  const casino = loadScenarios('live.yaml').find(each => each.domain === 'luckyotter.example') as Scenario
  const claim = `<p>This site is operated by ${legal_name}, license number ${license_number}.</p>`
  const home = readFileSync(join(import.meta.dirname, '../test/small-internet/pages/casino.html'), 'utf8')
  const records = casino.dns[casino.domain] as Scenario['dns'][string]
  const legal = { html: `<title>Terms</title>${claim}` }
  return {
    ...casino,
    domain,
    dns: { [domain]: records, [`www.${domain}`]: records },
    responses: {
      ...casino.responses,
      '/': { html: home.replaceAll('DOMAIN', domain).replace(/<p>Lucky Otter is operated.*<\/a>/s, claim) },
      '/terms': legal,
      '/licence': legal,
      '/privacy': legal,
    },
    rdap: { json: { ...(casino.rdap?.json as object), ldhName: domain } },
  }
}

const shortened = (line: string) =>
  line.length > shownCharactersMax ? `${line.slice(0, shownCharactersMax)}…` : line
