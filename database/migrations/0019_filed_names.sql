-- Spellings of legal forms that were not known as such: `S.à r.l.`, `Sp. zo.o.`, `S. A. de C. V.`. A key is the key of itself
-- (core/legal-name.ts), so that what is held is brought to the new ones by their ends alone.

update company_identities identity
   set name_key = made.name_key
  from (
    select stream, identity_key,
           regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(name_key,
             '(?<=.) (sa|s a) (rl|r l)$', ' sarl'),
             '(?<=.) soc a (rl|r l)$', ' srl'),
             '(?<=.) (sa|s a) de (cv|c v)$', ' sa de cv'),
             '(?<=.) s de (rl|r l) de (cv|c v)$', ' s de rl de cv'),
             '(?<=.) gmbh u co kg$', ' gmbh & co kg'),
             '(?<=.) d oo$', ' doo'),
             '(?<=.) (spzoo|sp zo o)$', ' sp zoo') as name_key
      from company_identities
     where name_key is not null
  ) made
 where (identity.stream, identity.identity_key) = (made.stream, made.identity_key)
   and identity.name_key <> made.name_key;

-- Names that may end so. The next writer makes their rows anew, and a starting instance before it serves.
insert into search_stale (subject, id)
select 'company', id from company_search where names ~* '(r\W*l|o\W*o|c\W*v|k\W*g)\W*"'
union all
select 'license', id from license_search where names ~* '(r\W*l|o\W*o|c\W*v|k\W*g)\W*"'
on conflict do nothing;
