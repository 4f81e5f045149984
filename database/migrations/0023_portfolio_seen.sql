alter table portfolios add column seen_cursor text;
comment on column portfolios.seen_cursor is 'Where the dashboard last read the changes; null: not yet.';
