-- What each worker's renderer of pages says, and captures of what it saw.
create table renderers (
  -- The worker's host and process.
  worker text primary key,
  state text not null check (state in ('on', 'off', 'unavailable')),
  reason text,
  message text,
  renders integer not null,
  failed integer not null,
  killed integer not null,
  processes integer not null,
  last_failure text,
  seen_at timestamptz not null
);
comment on column renderers.reason is 'Why it is not on; null: it is.';
comment on column renderers.killed is 'How often Chromium was killed, because a visit did not end or needed too much memory.';
comment on column renderers.processes is 'Processes of Chromium that run; none when it is idle.';

alter table site_captures drop constraint site_captures_kind_check;
alter table site_captures add constraint site_captures_kind_check check (kind in ('dns', 'rdap', 'http', 'dom'));
