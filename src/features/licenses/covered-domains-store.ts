import { domainEntryText } from '../domain-entry-store.ts'

/** The domains that the register lists as active for a row `license` of licenses, whatever its status. */
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
