-- A refresh of firmographics checks a site without an account: it costs nothing besides the firmographics.
alter table site_checks drop constraint site_checks_asked_by_check;
alter table site_checks add constraint site_checks_asked_by_check
  check (asked_by in ('request', 'enrichment', 'refresh', 'staff', 'firmographics'));
comment on column site_checks.account_id is
  'The account that pays; null: a background refresh, staff, or a refresh of firmographics.';
