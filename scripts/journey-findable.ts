import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../src/database/open.ts'
import { registersOfNames } from './journey-files.ts'

const rowsAsked = 10
const namesCharactersMin = 2
const namesCharactersMax = 200
const missesShownMax = 10

type Wanted = { kind: 'name' | 'legal entity' | 'domain'; stream: string; text: string; refs: string[] }

/** Prints how often a search for a stored name returns its Company first, or among the first ten. */
export async function findEverybody(
  server: FastifyInstance,
  database: Database,
  apiKey: string,
): Promise<{ asked: number; missed: number }> {
  const figures = new Map<string, { asked: number; first: number; found: number }>()
  const misses: string[] = []
  for (const { kind, stream, text, refs } of await readWanted(database)) {
    const parameter = kind === 'domain' ? 'domain' : 'q'
    const response = await server.inject({
      url: `/v1/companies/search?${new URLSearchParams({ [parameter]: text, page_size: String(rowsAsked) })}`,
      headers: { 'x-api-key': apiKey },
    })
    const hits: { company_ref: string }[] = response.json().data?.hits ?? []
    const at = hits.findIndex(({ company_ref }) => refs.includes(company_ref))
    const row = `${stream}  ${kind}`
    const counted = figures.get(row) ?? { asked: 0, first: 0, found: 0 }
    counted.asked += 1
    if (at === 0) counted.first += 1
    if (at >= 0) counted.found += 1
    else misses.push(`${row} ${JSON.stringify(text)}: ${response.statusCode}, ${hits.length} others`)
    figures.set(row, counted)
  }
  for (const [row, { asked, first, found }] of figures)
    console.log(`${row}: ${asked} queries, ${first} first, ${found} among the first ${rowsAsked}`)
  for (const miss of misses.slice(0, missesShownMax)) console.log(`    ! not found: ${miss}`)
  const asked = [...figures.values()].reduce((sum, each) => sum + each.asked, 0)
  return { asked, missed: misses.length }
}

async function readWanted(database: Database): Promise<Wanted[]> {
  const { rows } = await sql<Wanted>`
    with named as (
      select identity.stream, company.company_ref, company.company_name, company.legal_entity
        from company_identities identity
        join companies company on company.id = identity.company_id
       where identity.stream = any (${registersOfNames}::text[])
    ),
    wanted as (
      select 'name' as kind, stream, company_name as text from named
      union
      select 'legal entity', stream, legal_entity from named
    )
    select wanted.kind, wanted.stream, wanted.text, array_agg(company.company_ref) as refs
      from wanted
      join companies company
        on wanted.text in (company.company_name, company.legal_entity) and company.merged_into is null
     where length(btrim(wanted.text)) between ${namesCharactersMin} and ${namesCharactersMax}
     group by wanted.kind, wanted.stream, wanted.text
    union all
    select 'domain', link.stream, domain.domain, array_agg(company.company_ref)
      from domain_companies link
      join domains domain on domain.id = link.domain_id
      join companies company on company.id = link.company_id
     where link.known_to is null
     group by link.stream, domain.domain
     order by 2, 1, 3`.execute(database)
  return rows
}
