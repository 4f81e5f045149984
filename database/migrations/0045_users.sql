-- People of the dashboard: who they are, which accounts they may see, how they sign in, and what they changed.
create table users (
  id bigint generated always as identity primary key,
  user_ref text not null unique,
  email text not null unique check (email = lower(email)),
  name text,
  is_staff boolean not null default false,
  created_at timestamptz not null
);
comment on column users.is_staff is 'Granted and removed by command only.';

create table memberships (
  user_id bigint not null references users (id) on delete cascade,
  account_id bigint not null references accounts (id),
  role text not null check (role in ('owner', 'member', 'billing')),
  created_at timestamptz not null,
  primary key (user_id, account_id)
);
create index memberships_by_account on memberships (account_id, user_id);

create table sessions (
  session_sha256 bytea primary key check (octet_length(session_sha256) = 32),
  user_id bigint not null references users (id) on delete cascade,
  account_id bigint references accounts (id),
  created_at timestamptz not null,
  proved_at timestamptz not null,
  last_used_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
comment on column sessions.account_id is 'The account that the pages show; null: the first of the user.';
comment on column sessions.proved_at is 'The last sign-in or passkey. Sensitive changes need one of the last 15 minutes.';

create table sign_in_links (
  link_sha256 bytea primary key check (octet_length(link_sha256) = 32),
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_by_user on sign_in_links (user_id);

create table passkeys (
  credential_id bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id);

create table audit_events (
  id bigint generated always as identity primary key,
  happened_at timestamptz not null,
  user_id bigint references users (id) on delete set null,
  email text,
  account_id bigint references accounts (id),
  action text not null,
  subject text,
  details jsonb not null default '{}'
);
create index audit_events_by_account on audit_events (account_id, id);
comment on table audit_events is 'What people changed in the dashboard, and staff by command. Never updated.';
comment on column audit_events.email is 'Of the user at that time; null: a command.';
