/**
 * The start of a domain's latest listing by a regulator, or by any where the geo is `''`. null: never listed.
 * Entries of one site that overlap, or replace each other between two snapshots or on the register's own
 * dates, are one listing (contract section 13, "Windows of domain search"). Both parameters are SQL.
 */
export const listedSince = (domainId: string, geo: string) => `(
  select max(entry.first_seen_at) filter (
           where coalesce(entry.first_seen_at > entry.listed_until, true)
             and coalesce(entry.listed_at > entry.deleted_at, true)
         )
    from (
      select spelling.first_seen_at,
             spelling.listed_at,
             max(case
                   when spelling.listed then 'infinity'
                   else coalesce(spelling.missing_at, spelling.last_seen_at)
                 end) over earlier as listed_until,
             max(spelling.delisted_at) filter (where not spelling.listed) over earlier as deleted_at
        from blocklist_entries spelling
       where spelling.domain_id = ${domainId}
         and spelling.scope = 'domain'
         and (spelling.known_to is null or not spelling.listed)
         and (${geo} = '' or spelling.regulator = ${geo})
      window earlier as (
        order by spelling.first_seen_at, spelling.listed_at, spelling.delisted_at, spelling.missing_at,
                 spelling.stream, spelling.record_key, spelling.known_from
          rows between unbounded preceding and 1 preceding
      )
    ) entry
)`
