-- Real lists name deeper hosts of innocent sites: such an entry is evidence, no verdict.
alter table blocklist_entries
  drop constraint blocklist_entries_scope_check,
  add constraint blocklist_entries_scope_check
    check (scope in ('domain', 'host', 'path', 'shared_host', 'app', 'payment_account')),
  add column listed_as text collate "C",
  -- A release that runs beside writes 0, so that its entries are judged again.
  add column scope_rules integer not null default 0;

comment on column blocklist_entries.listed_as is
  'Canonical host and path; null for apps and payment accounts.';
comment on column blocklist_entries.scope_rules is 'Version of the rules that judged the scope.';

create index blocklist_entries_by_scope_rules on blocklist_entries (scope_rules);

create index blocklist_entries_on_shared_hosts on blocklist_entries (lower(listed_as))
  where known_to is null and listed and scope = 'shared_host';

create index blocklist_entries_mentions on blocklist_entries (domain_id)
  where known_to is null and listed and scope in ('host', 'path');

alter table domains add column mentioned boolean not null default false;

comment on column domains.mentioned is 'Whether a blocklist names a deeper host or a path of it.';
