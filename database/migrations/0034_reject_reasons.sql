-- What a snapshot could not use, with examples; rows that the source has not decided are counted apart.
alter table register_snapshots
  add column rejects jsonb not null default '[]',
  add column undecided integer not null default 0;
comment on column register_snapshots.rejects is 'Examples of rejected rows, some per reason: [{line, published, reason}].';
comment on column register_snapshots.undecided is 'Rows that the source has not decided; not among the rejected.';

update register_snapshots
   set undecided = (rejected_by_reason ->> 'not_yet_decided')::integer,
       rejected = rejected - (rejected_by_reason ->> 'not_yet_decided')::integer,
       rejected_by_reason = rejected_by_reason - 'not_yet_decided'
 where rejected_by_reason ? 'not_yet_decided';
