import type { World } from '../../../database/open.ts'
import { maskName } from '../../search/index.ts'
import { type CompanySample, companySampleOf } from './company-hit.ts'

type Card = {
  /** The ref of the surviving Company; null if this one was not merged. */
  merged_into: string | null
  /** What the free preview shows of a row. */
  sample: CompanySample
}

type Found = { merged_into: string | null; company_name: string | null; hit: string | null }

/** Finds a Company by its ref. It is not yet in the search for seconds after its first snapshot. */
export async function findCompanyCard(world: World, ref: string): Promise<Card | undefined> {
  const [found] = await world.read<Found>({
    name: 'company_card',
    text: `
      select survivor.company_ref as merged_into, company.company_name, search_row.hit::text as hit
        from companies company
        left join companies survivor on survivor.id = company.merged_into
        left join company_search search_row on search_row.id = company.id
       where company.company_ref = $1
         and (company.merged_into is not null
              or exists (select from company_identities where company_id = company.id))`,
    values: [ref],
  })
  if (found === undefined) return undefined
  const { merged_into, company_name, hit } = found
  return { merged_into, sample: hit === null ? unsearched(company_name) : companySampleOf({ hit }) }
}

const unsearched = (name: string | null): Card['sample'] => ({
  company_name: maskName(name),
  subject_kind: 'unknown',
  role: [],
  jurisdictions: [],
  domain_count: 0,
  license_count: 0,
  payment_method_count: 0,
  supplier_brand_count: 0,
})
