alter table register_streams
  add column watch_is_official boolean not null default false,
  add column watch_found_url text;
comment on column register_streams.watch_is_official is
  'Whether the files are found from the official address at each fetch; watch_url is then that address.';
comment on column register_streams.watch_found_url is
  'The addresses of the files fetched last, one a line; watch_etag and watch_last_modified belong to them. null: none yet.';
update register_streams set watch_found_url = watch_url where watch_url is not null;

create table register_facts (
  stream text collate "C" primary key,
  market text not null,
  kind text not null check (kind in ('register', 'blocklist', 'register_and_blocklist')),
  official_url text not null,
  resolve text,
  format text not null,
  language text not null,
  layout text not null check (layout in ('recorded', 'described')),
  layout_recorded_at date,
  publishes text[] not null,
  cadence_words text not null,
  cadence_hours integer not null,
  terms text,
  sources jsonb not null
);
comment on table register_facts is
  'The facts of the known streams, for the coverage: copied from the code and from descriptions at each start.';
comment on column register_facts.resolve is 'How the file is found; null: its address is not known.';
comment on column register_facts.layout is
  'recorded: read from a file of the regulator; described: known from documents or public code alone.';
comment on column register_facts.sources is 'Where these facts come from, in words.';

create table register_probes (
  stream text collate "C" primary key,
  probed_at timestamptz not null,
  is_well boolean not null,
  reasons text[] not null,
  changes text[] not null,
  found_url text,
  media_type text,
  rows integer,
  newest_date date,
  is_nightly boolean not null default false
);
comment on table register_probes is
  'The last look at the official address of a stream, by a probe or by a fetch that began there.';
comment on column register_probes.reasons is 'Why it is not well; empty if it is.';
comment on column register_probes.changes is 'What differs from the recorded layout and from the probe before.';
comment on column register_probes.rows is 'Rows of the file; null: it was not read.';
comment on column register_probes.is_nightly is
  'Whether the worker probes it each night while it is not watched: since an operator probed it, until "unwatch".';
