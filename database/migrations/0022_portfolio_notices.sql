-- Messages about portfolios say how many changes there are, and never which (docs/portfolios.md).
create table portfolio_notices (
  portfolio_id bigint not null references portfolios (id) on delete cascade,
  channel text not null check (channel in ('email', 'url')),
  target text not null,
  secret bytea,
  changes integer not null default 0,
  message json,
  attempts integer not null default 0,
  next_at timestamptz not null,
  failing_since timestamptz,
  last_at timestamptz,
  last_outcome text,
  disabled_at timestamptz,
  primary key (portfolio_id, channel)
);
comment on table portfolio_notices is 'Whom a portfolio informs of new changes, and the outcome of the last message.';
comment on column portfolio_notices.target is 'The e-mail address of a member of the account, or a URL.';
comment on column portfolio_notices.secret is 'Signs the messages to a URL, as Standard Webhooks do.';
comment on column portfolio_notices.changes is 'Changes that no delivered message has counted.';
comment on column portfolio_notices.message is 'What is being sent, the same in each attempt; null: nothing.';
comment on column portfolio_notices.next_at is 'The earliest time of the next attempt.';
comment on column portfolio_notices.failing_since is 'The first failure since the last delivery.';
comment on column portfolio_notices.disabled_at is 'When messages ended: the URL answered 410, or failed for three days.';
create index portfolio_notices_due on portfolio_notices (next_at) where changes > 0 and disabled_at is null;

create table portfolio_sweep (
  is_only boolean primary key default true check (is_only),
  last_number bigint not null
);
comment on table portfolio_sweep is 'One row: the last verdict change that was counted for notices.';
