-- Search reads names in Latin letters, and legal forms in front of them. Only rows with such names change.
create temp table changed_companies on commit drop as
select company.id
  from companies company
 where company.merged_into is null
   and exists (
     select
       from unnest(array[company.company_name, company.legal_entity] || company.brands || company.aliases) as name
      where name ~ '[^ -~]'
         or split_part(ltrim(lower(regexp_replace(name, '[^A-Za-z ]', '', 'g'))), ' ', 1) = any (
              '{a,ab,ae,akcine,akciju,aksjeselskapet,aktiebolaget,aktieselskabet,aktsiaselts,anonymi,anpartsselskabet,as,'
              'dooel,eood,epe,eurl,mb,oao,ooo,osauhing,ou,pao,prat,pt,sa,sabiedriba,sarl,sas,sasu,sia,societe,spa,srl,'
              'tov,tzov,uab,uzdaroji,zao}'
            )
   );
insert into search_stale (subject, id) select 'company', id from changed_companies on conflict do nothing;
insert into search_stale (subject, id)
select 'license', id from license_search where names ~ '[^ -~]'
 union
select 'license', license.id
  from changed_companies changed
  join companies company on coalesce(company.merged_into, company.id) = changed.id
  join licenses license on license.company_id = company.id
  join license_search shown on shown.id = license.id
on conflict do nothing;
drop table changed_companies;
