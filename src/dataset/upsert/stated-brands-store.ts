import { sql } from 'kysely'

/** The brands that sources tell of the `company` itself; those that its domains alone show are told with these. */
export const toldBrands = sql`
  array(
    select held.brand
      from unnest(company.brands) with ordinality as held (brand, position)
     where exists (
       select from company_identities identity
        where identity.company_id = company.id and held.brand = any (identity.brands)
     )
     order by held.position
  )`
