-- Prospect lists that staff prepare for an account, and the requests for them (§2.13, §4.15).

create table prospect_lists (
  id bigint generated always as identity primary key,
  prospect_list_ref text not null unique,
  import_key text unique,
  account_id bigint references accounts,
  cadence text not null check (cadence in ('one_time', 'weekly', 'continuous')),
  status text not null check (status in ('requested', 'preparing', 'ready', 'cancelled')),
  requested_at timestamptz not null,
  ready_at timestamptz,
  result jsonb,
  target_account_count int generated always as (jsonb_array_length(result -> 'target_accounts')) stored,
  check ((status = 'ready') = (result is not null)),
  check (status <> 'ready' or account_id is not null),
  check (case status when 'ready' then ready_at is not null when 'cancelled' then true else ready_at is null end)
);
comment on table prospect_lists is
  'What staff prepare for an account. Its result is personal data: it goes when the list is cancelled, and a suppression
takes people out of it.';
comment on column prospect_lists.import_key is
  'The key of an interchange file, given or made of the line; null: staff or the public form made the list.';
comment on column prospect_lists.account_id is 'null: asked for through the public form, and assigned to nobody yet.';
comment on column prospect_lists.status is 'requested, preparing, ready; or cancelled, which no customer ever sees.';
comment on column prospect_lists.ready_at is 'When it was delivered; null: not. A cancelled list keeps it.';
comment on column prospect_lists.result is 'The closed object of §2.13; null before the list is ready, and once it is cancelled.';
comment on column prospect_lists.target_account_count is 'Follows from the result; null without one.';
create index prospect_lists_of_account on prospect_lists (account_id, requested_at desc, prospect_list_ref collate "C" desc)
  where status <> 'cancelled';
create index prospect_lists_by_request on prospect_lists (requested_at);

create table prospect_list_requests (
  prospect_list_id bigint primary key references prospect_lists,
  name text not null,
  email text not null,
  company text not null,
  request text not null,
  received_at timestamptz not null
);
comment on table prospect_list_requests is
  'What the public form was sent, with who is to be answered. It goes when the list is cancelled, and with
the list when nobody takes it.';
