-- What a page of a text search highlights, kept with the row that is found, so that a page looks none of it up.

alter table company_search
  add column names text not null default '[null,null,[],[]]',
  add column sites text not null default '[]';
comment on column company_search.names is
  'What it is found by, as the JSON of a list: company name, legal entity, brands, aliases.';
comment on column company_search.sites is
  'The domains whose words its document holds, as the JSON of a list, in the order of their telling.';

alter table license_search
  add column names text not null default '[null,null,null,"",null]',
  add column sites text not null default '[]';
comment on column license_search.names is
  'What it is found by, as the JSON of a list: license number, company name, legal entity, jurisdiction, type.';
comment on column license_search.sites is 'Empty: licenses are not found by words of domains.';

-- What is held already. The next writer brings it in, and a starting instance before it serves.
insert into search_stale (subject, id)
select 'company', id from companies
union all
select 'license', id from licenses
on conflict do nothing;

-- What an older process would write from here on is refused, not stored without them.
alter table company_search alter column names drop default, alter column sites drop default;
alter table license_search alter column names drop default, alter column sites drop default;
