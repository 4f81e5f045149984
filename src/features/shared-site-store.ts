/** A site of more holders than this says nothing of who operates it: agents of a lottery, for example. */
const holdersMax = 3

/** Tests whether one register lists more than three Companies as holders of a domain. */
export const isSharedSite = (domainId: string) => `
  exists (
    select
      from (select * from authorisations where domain_id = ${domainId} offset 0) listed
      left join licenses granted on granted.id = listed.license_id
     where listed.known_to is null
     group by listed.stream, listed.market
    having count(distinct coalesce(listed.company_id, granted.company_id)) > ${holdersMax}
  )`
