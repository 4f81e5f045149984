-- Processes count the facets of text searches in memory, and read the rows whose facets changed.
-- A sequence of no table, because emptying a table must not restart it.
create sequence search_facet_changes;
alter table company_search
  add column facets_change bigint not null default nextval('search_facet_changes');
alter table license_search
  add column facets_change bigint not null default nextval('search_facet_changes');
-- A trigger, because a process of an earlier release may write rows beside one of this release.
create function number_facet_change() returns trigger language plpgsql as $function$
begin
  new.facets_change := nextval('search_facet_changes');
  return new;
end $function$;
create trigger facets_of_changed_companies before update of facets on company_search
  for each row when (old.facets <> new.facets) execute function number_facet_change();
create trigger facets_of_changed_licenses before update of facets on license_search
  for each row when (old.facets <> new.facets) execute function number_facet_change();
create index company_search_by_facets_change on company_search (facets_change);
create index license_search_by_facets_change on license_search (facets_change);
comment on column company_search.facets_change is
  'Number of the latest change of facets. Writers have a lock until they commit, so that the order of numbers is that of commits.';
