import { linkingKey, typedLinkingNames } from '@baize/names'
import type { World } from '../../../database/open.ts'
import { findCompaniesOfStem } from '../../search/index.ts'

/** The most Companies with one name of any legal form that are compared. */
const comparedMax = 1_000

/** Finds Companies by the linking key of a name, brand or alias. */
export async function findByFoldedName(world: World, name: string): Promise<number[]> {
  const typed = typedLinkingNames(name).filter(({ key }) => key !== '')
  if (typed.length === 0) return []
  const keys = new Set(typed.map(({ key }) => key))
  const stems = [...new Set(typed.map(({ stem }) => stem))]
  const companies = await findCompaniesOfStem(world, stems, comparedMax)
  return companies
    .filter(({ names }) => names.flat().some(each => each !== null && keys.has(linkingKey(each))))
    .map(({ id }) => id)
}

/** Finds Companies by the linking key of the legal name that a source filed for a legal entity. */
export async function findByFoldedLegalName(world: World, name: string): Promise<number[]> {
  const keys = typedLinkingNames(name).map(({ key }) => key)
  const rows = await world.read<{ company_id: number }>({
    name: 'companies_of_folded_legal_name',
    text: `
      select distinct company_id
        from company_identities
       where name_key = any ($1::text[]) and name_key <> '' and subject_kind = 'legal_entity'
       limit $2`,
    values: [keys, comparedMax],
    genericPlan: true,
  })
  return rows.map(row => row.company_id)
}
