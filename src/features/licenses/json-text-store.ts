/** Pieces of JSON text as the database writes it, where an answer is sent as it writes it. */

/** A text, or null. */
export const textOrNull = (text: string) => `coalesce(to_json(${text}), 'null')`

/** A moment as JavaScript writes it, in quotes, or null. */
export const instantOrNull = (moment: string) =>
  `coalesce('"' || to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')`

/** A row `domain` of domains as a DomainEntry. Names of domains hold nothing that JSON would escape. */
export const domainEntryText = `concat('{"domain_ref":', to_json(domain.domain_ref), ',"domain":"', domain.domain,
                         '","inferred_geo":', ${textOrNull('domain.inferred_geo')}, '}')`

/** The domains that its register lists for a row `license` of licenses and that it licenses. */
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
