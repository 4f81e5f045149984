-- account plan: who had which plan, and why it changed.
create table plan_changes (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  plan_before text not null,
  plan_after text not null check (plan_after <> plan_before),
  reason text not null,
  changed_at timestamptz not null
);
create index plan_changes_by_account on plan_changes (account_id, id);
comment on table plan_changes is 'Changes of plans by staff, as an audit trail. Never updated.';
comment on column plan_changes.reason is 'As staff gave it.';
