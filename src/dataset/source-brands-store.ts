import { sql } from 'kysely'

/** Returns the brands that sources give for `company` itself, without those that only its domains show. */
export const sourceBrands = sql`
  array(
    select given.brand
      from unnest(company.brands) with ordinality as given (brand, position)
     where exists (
       select from company_identities identity
        where identity.company_id = company.id and given.brand = any (identity.brands)
     )
     order by given.position
  )`
