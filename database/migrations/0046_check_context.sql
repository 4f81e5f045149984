-- Whether the site had an operator context when it was checked: a later reading of the captures must not use today's.
alter table site_checks add column was_licensed boolean;
comment on column site_checks.was_licensed is 'The site had exactly one operator context then; null: not recorded.';
