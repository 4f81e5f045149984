/** Makes the result of a list from people whom staff picked among Companies. */
import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { findCompanyRefs } from '../companies/index.ts'
import { type Pickable, readAsked, readPickable } from './pick-people-store.ts'
import type { ProspectListResult } from './result-schema.ts'

const companiesMax = 20

/** Matches the search of Companies from which the dashboard made a request. */
const searchInRequest = /\/dashboard\/companies\?(\S+)/

export type ListWork = { companies: Pickable[]; result: ProspectListResult | null }

/** Returns the last result of a list, and the Companies of that, of the customer's search and of `q`. */
export async function readListWork(world: World, ref: string, q: string | undefined): Promise<ListWork> {
  const { result, request } = await readAsked(world.database, ref)
  const [, asked] = searchInRequest.exec(request ?? '') ?? []
  const searches = [
    ...(q === undefined ? [] : [{ q }]),
    ...(asked === undefined ? [] : [Object.fromEntries(new URLSearchParams(asked))]),
  ]
  const found = await Promise.all(searches.map(each => findCompanyRefs(world, each, companiesMax)))
  const refs = [...(result?.target_accounts.map(each => each.target_ref) ?? []), ...found.flat()]
  return { companies: await readPickable(world.database, refs), result }
}

export type Picked = {
  /** Refs of Companies and their contacts, such as `co_1 con_2`. */
  people: readonly string[]
  journey: string
  summary: string
  executive_summary: string
}

/** Makes a result of what is stored of the picked people today. */
export async function resultOfPicked(
  { database }: World,
  { people, journey, summary, executive_summary }: Picked,
): Promise<ProspectListResult> {
  if (people.length === 0) throw new StaffError('Pick at least one person.')
  const picked = new Set(people)
  const companies = await readPickable(
    database,
    people.map(each => each.split(' ', 1)[0] ?? ''),
  )
  const targets = companies
    .map(each => ({
      ...each,
      key_contacts: each.key_contacts.filter(({ contact_ref: ref }) =>
        picked.has(`${each.target_ref} ${ref}`),
      ),
    }))
    .filter(each => each.key_contacts.length > 0)
  return {
    schema_version: 1,
    request_interpretation: { journey, summary },
    executive_summary,
    target_accounts: targets,
  }
}
