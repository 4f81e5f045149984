/** A site of more holders than this says nothing of who operates it: agents of a lottery, for example. */
const holdersMax = 3

/** Selects from all authorisations of a domain. Without statistics, other conditions would scan all open rows. */
export const authorisationsOf = (domainId: string) =>
  `(select * from authorisations where domain_id = ${domainId} offset 0)`

/** Tests whether one register lists more than three Companies as holders of a domain. */
export const isSharedSite = (domainId: string, authorisations = authorisationsOf(domainId)) => `
  exists (
    select
      from ${authorisations} listed
      left join licenses granted on granted.id = listed.license_id
     where listed.known_to is null
     group by listed.stream, listed.market
    having count(distinct coalesce(listed.company_id, granted.company_id)) > ${holdersMax}
  )`
