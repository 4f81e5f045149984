-- Platform readings are observations of a site, too (§2.9). Values of sections lapse by `last_observed_at` alone: a reading
-- says nothing about them.
alter table domains add column last_read_at timestamptz;
comment on column domains.last_observed_at is 'The latest observation of a section; null: none.';
comment on column domains.last_read_at is 'The latest reading of its platform; null: none.';

-- Search rows show the later of the two.
create or replace function note_stale_domains() returns trigger
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
  insert into search_stale (subject, id)
  select distinct 'company', link.company_id
    from (
      select id, domain_ref, domain, inferred_geo, last_observed_at, last_read_at, platform_id, payment_categories
        from after_rows
      except
      select id, domain_ref, domain, inferred_geo, last_observed_at, last_read_at, platform_id, payment_categories
        from before_rows
    ) changed
   cross join lateral companies_of_domain(changed.id) link
   order by 2
  on conflict do nothing;
  return null;
end $$;

update domains domain
   set last_read_at = latest.seen_at
  from (select domain_id, max(seen_at) as seen_at from platform_readings group by domain_id) latest
 where latest.domain_id = domain.id;
