-- Readings of platforms by checks are recorded, because Signals follow from them.
alter table dataset_events drop constraint dataset_events_kind_check;
alter table dataset_events add constraint dataset_events_kind_check
  check (kind in ('snapshot', 'confirmation', 'import', 'review', 'merge', 'split', 'discard', 'check'));
