-- What is seen of a site: observations of §2.9, platforms and their readings, logos.

create table observations (
  domain_id bigint not null references domains,
  section text not null
    check (section in ('payment_methods', 'supplier_brands', 'affiliate_programs', 'geo', 'related_domains')),
  value_key text not null,
  value jsonb not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  last_confirmed_at timestamptz,
  stream text not null,
  primary key (domain_id, section, value_key)
);
comment on column observations.value_key is 'What tells two values of a section apart: a name, a URL, a domain; `geo` has one.';
comment on column observations.value is 'The fields of the section as §2.9 names them, without the dates.';

create table platforms (
  id bigint generated always as identity primary key,
  platform_key text not null unique,
  name text not null,
  aliases text[] not null default '{}',
  reviewed_at timestamptz
);
comment on column platforms.reviewed_at is 'null: no person has reviewed the vendor as a platform; it is published nowhere.';

create table platform_readings (
  domain_id bigint not null references domains,
  seen_at timestamptz not null,
  platform_id bigint not null references platforms,
  stream text not null,
  primary key (domain_id, seen_at, platform_id)
);
comment on column platform_readings.seen_at is 'When the page was seen, not when the row was written.';
alter table domains add foreign key (platform_id) references platforms;

create table logos (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains,
  variant text not null,
  theme text not null,
  format text not null,
  width int,
  height int,
  file_name text not null,
  source text not null check (source in ('business_profile', 'website', 'catalog')),
  first_seen_at timestamptz not null,
  superseded_at timestamptz
);
comment on column logos.file_name is 'The stored, content-addressed file below LOGO_URL.';
comment on column logos.superseded_at is 'null: current.';
create index logos_of_domain on logos (domain_id);
