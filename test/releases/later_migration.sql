-- What a later release may do: add a column, fill it from stored rows, and have search rows rebuilt.
alter table domains add column labels int;
update domains set labels = cardinality(string_to_array(domain, '.'));
alter table domains alter column labels set not null, alter column labels set default 2;
comment on column domains.labels is 'Number of labels of the domain.';
delete from company_search;
update search_terms set rows = 0 where subject = 'company';
insert into search_stale (subject, id) select 'company', id from companies where merged_into is null on conflict do nothing;
