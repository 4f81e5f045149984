-- No member of a portfolio has changes before its position at its creation, so reading begins there.
alter table portfolios add column created_after bigint not null default 0;
comment on column portfolios.created_after is 'The last verdict change when it was created.';
