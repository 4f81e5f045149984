import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { readSettings } from '../src/config/settings.ts'
import { isEligible } from '../src/features/domains/index.ts'
import { startBackgroundCheck } from '../src/features/enrichments/index.ts'
import { lookSettingsOf } from '../src/instance/check-tasks.ts'
import { findingsOfCheck, listCaptures, openLookTools, runCheck } from '../src/observation/index.ts'
import { loadScenarios, type Scenario } from '../test/small-internet/scenario.ts'
import { startSmallInternet } from '../test/small-internet/start-small-internet.ts'
import type { OwnService } from './own-service.ts'

const checkMsMax = 120_000
const candidatesMax = 100
const shownCharactersMax = 150

type Operator = { id: number; domain: string; legal_name: string; license_number: string }

/**
 * Checks a licensed domain of the registers, whose site the small internet plays, and prints the evidence.
 * Returns the launch profile that an API client gets; null: no domain has exactly one licensed operator.
 */
export async function checkLicensedSite({ service, server, apiKey }: OwnService) {
  const { live, files } = service
  const operator = await findOperator(live.database)
  if (operator === null) return null
  const { domain } = operator
  const internet = await startSmallInternet([siteOf(operator)])
  try {
    const now = () => new Date()
    const look = lookSettingsOf(readSettings(internet.environment), { now, refreshes: false })
    const started = await live.database
      .transaction()
      .execute(tx => startBackgroundCheck(tx, { domain, askedBy: 'staff', now: now() }))
    if (started === null) throw new Error(`${domain} is being checked already`)
    const { checkId } = started
    const tools = openLookTools(look, {
      database: live.database,
      now,
      signal: AbortSignal.timeout(checkMsMax),
    })
    const report = await runCheck(checkId, { world: live, files, tools, userAgent: look.userAgent, now })
    console.log(`${domain}: ${report?.outcome.outcome}`)
    for (const { url, status, failure, body_sha256 } of await listCaptures(live.database, checkId))
      console.log(`    ${url}: ${failure ?? status ?? 'answered'}, body ${body_sha256}`)
    for (const found of await findingsOfCheck(live.database, checkId)) {
      const { section, value, rule, snippet } = found
      console.log(shortened(`${section} ${JSON.stringify(value)}`))
      console.log(shortened(`    by ${rule}${snippet === null ? '' : `: “${snippet}”`}`))
    }
  } finally {
    await internet.close()
  }
  const response = await server.inject({
    url: `/v1/domains/resolve?domain=${domain}&include[]=operator_launch_profile`,
    headers: { 'x-api-key': apiKey },
  })
  return response.json().data?.observations?.operator_launch_profile ?? null
}

/** The first domain, by name, with exactly one licensed operator. */
async function findOperator(database: OwnService['service']['live']['database']): Promise<Operator | null> {
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

/** The casino of the tests, under this domain and with the claims of this operator. */
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
