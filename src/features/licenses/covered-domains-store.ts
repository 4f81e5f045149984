import { domainEntryText } from '../domain-entry-store.ts'

/** Active in the register for a row `license`, whatever the license's status. */
export const coveredDomainsText = `(
         select concat('[', string_agg(${domainEntryText}, ',' order by domain.domain), ']')
           from domains domain
          where domain.id = any (array(
            select authorisation.domain_id
              from authorisations authorisation
             where authorisation.license_id = license.id
               and authorisation.known_to is null
               and authorisation.counts
          ))
       )`
