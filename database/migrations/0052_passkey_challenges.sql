-- A passkey answers a challenge of ours once, within minutes.
create table passkey_challenges (
  challenge text primary key,
  user_id bigint references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);
comment on column passkey_challenges.user_id is 'Who registers a passkey; null: somebody signs in.';
