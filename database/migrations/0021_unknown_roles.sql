-- A Company of which no role is known is `unknown` whoever told of it: a register always said so, and of an interchange file that
-- said nothing there was an empty list, which no filter finds and no facet counts. Triggers list these Companies, and their search
-- rows are written anew at the next start, or by the next writer.

update company_identities
   set role = case when array_remove(role, 'unknown') = '{}' then '{unknown}' else array_remove(role, 'unknown') end
 where role = '{}' or ('unknown' = any (role) and cardinality(role) > 1);

update companies
   set role = case when array_remove(role, 'unknown') = '{}' then '{unknown}' else array_remove(role, 'unknown') end
 where role = '{}' or ('unknown' = any (role) and cardinality(role) > 1);

alter table company_identities
  alter column role set default '{unknown}',
  add constraint a_role_or_unknown check (role = '{unknown}' or (role <> '{}' and not 'unknown' = any (role)));

alter table companies
  alter column role set default '{unknown}',
  add constraint a_role_or_unknown check (role = '{unknown}' or (role <> '{}' and not 'unknown' = any (role)));
