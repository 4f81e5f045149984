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

-- A line of an interchange file that tells a filed name and no kind is a legal entity. Lines that said `unknown` by themselves cannot
-- be told from these any more; what they tell is a filed name all the same.
update company_identities
   set subject_kind = 'legal_entity'
 where stream = 'import' and subject_kind = 'unknown' and legal_entity is not null;

update companies company
   set subject_kind = said.subject_kind
  from (
    select distinct on (company_id) company_id, subject_kind
      from company_identities
     where subject_kind <> 'unknown'
     order by company_id, seniority, known_from, stream collate "C", identity_key collate "C"
  ) said
 where company.id = said.company_id
   and company.subject_kind <> said.subject_kind;
