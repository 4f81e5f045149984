-- Brands to domains: which site a brand of a register is, as staff enter and approve it
-- (docs/operating/brand-domains.md). An approved row becomes authorisations of the stream reviewed_brand.
create table brand_domains (
  id bigint generated always as identity primary key,
  brand_domain_ref text not null unique,
  market text collate "C" not null,
  brand text not null,
  domain text not null,
  source_url text not null,
  source_day date not null,
  why text not null,
  entered_by text,
  entered_at timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  known_from timestamptz,
  known_to timestamptz,
  shipped_key text unique,
  check (known_to >= known_from)
);
comment on table brand_domains is
  'The site of a brand that a register of the market names. A row is closed, never overwritten or deleted.';
comment on column brand_domains.brand is 'As the register prints it: a legal or trading name of a licensee.';
comment on column brand_domains.domain is 'The registrable domain, in lower-case ASCII.';
comment on column brand_domains.source_day is 'The day on which the source stated it.';
comment on column brand_domains.entered_by is
  'The e-mail address of the person; baize: shipped with the program; null: a command.';
comment on column brand_domains.approved_by is
  'The e-mail address of the person; null: a command, or nobody yet.';
comment on column brand_domains.known_from is 'When it was approved; null: proposed or withdrawn.';
comment on column brand_domains.known_to is 'When it was removed or withdrawn; null: in use, or proposed.';
comment on column brand_domains.shipped_key is
  'Names the row in the data of the program; null: entered by staff.';
create unique index brand_domains_open on brand_domains (market, brand, domain) where known_to is null;

-- The licenses of a market, for its brands.
create index licenses_of_jurisdiction on licenses (jurisdiction);

alter table dataset_events drop constraint dataset_events_kind_check;
alter table dataset_events add constraint dataset_events_kind_check
  check (kind in ('snapshot', 'confirmation', 'import', 'review', 'merge', 'split', 'discard', 'check',
                  'brand'));
