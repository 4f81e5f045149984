-- Windows of domain search: a site is newly listed when its first spelling is, and dropped when its last one is gone.
alter table blocklist_entries add column missing_at timestamptz;
comment on column blocklist_entries.missing_at is
  'The first snapshot without it; null: it is listed, its deletion is dated, or no snapshot listed it.';

update blocklist_entries entry
   set missing_at = (
         select min(snapshot.taken_at)
           from register_snapshots snapshot
          where snapshot.stream = entry.stream
            and snapshot.status = 'applied'
            and snapshot.taken_at > entry.last_seen_at
       )
 where not entry.listed
   and entry.delisted_at is null
   and exists (
     select from blocklist_entries earlier
      where (earlier.stream, earlier.record_key) = (entry.stream, entry.record_key)
        and earlier.listed
        and earlier.known_to <= entry.known_from
   );

alter table domain_listings add column listed_since timestamptz;
comment on column domain_listings.listed_since is
  'Start of the current uninterrupted listing by geo (by any regulator if empty). null: licensed domain.';

update domain_listings listing
   set listed_since = (
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
              where spelling.domain_id = listing.domain_id
                and spelling.scope = 'domain'
                and (spelling.known_to is null or not spelling.listed)
                and (listing.geo = '' or spelling.regulator = listing.geo)
             window earlier as (
               order by spelling.first_seen_at, spelling.listed_at, spelling.delisted_at, spelling.missing_at,
                        spelling.stream, spelling.record_key, spelling.known_from
                 rows between unbounded preceding and 1 preceding
             )
           ) entry
       )
 where listing.verdict <> 'licensed';

create index domain_listings_newly_listed on domain_listings (verdict, geo, listed_since);
