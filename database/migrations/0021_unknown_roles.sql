-- A Company of which no role is known is `unknown` whoever told of it: a register always said so, and of an interchange file that
-- said nothing there was an empty list, which no filter finds and no facet counts.
update company_identities
   set role = coalesce(nullif(array_remove(role, 'unknown'), '{}'), '{unknown}')
 where role = '{}' or ('unknown' = any (role) and cardinality(role) > 1);

-- What is searched of them is made anew by the next writer, and by a starting instance before it serves.
update companies
   set role = coalesce(nullif(array_remove(role, 'unknown'), '{}'), '{unknown}')
 where role = '{}' or ('unknown' = any (role) and cardinality(role) > 1);

alter table company_identities
  alter column role set default '{unknown}',
  add constraint a_role_or_unknown check (role = '{unknown}' or (role <> '{}' and not 'unknown' = any (role)));

alter table companies
  alter column role set default '{unknown}',
  add constraint a_role_or_unknown check (role = '{unknown}' or (role <> '{}' and not 'unknown' = any (role)));
