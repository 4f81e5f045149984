-- Company resolve (§4.6): Companies by the names that they bear, and what is held of the organisations behind domains.

-- Of the collation C, so that no setting of the server moves what an index holds; the capitals that C leaves alone are
-- written out: Latin letters that no decomposition makes plain, Greek, Cyrillic of every country that writes it, Armenian. No
-- function of ours is called inside another: an index is built and analysed without our search path.
create function fold_names(names text[]) returns text[]
  language sql immutable parallel safe
  as $$
    select coalesce(array_agg(distinct folded.name) filter (where folded.name <> ''), '{}')
      from (
        select left(
                 case
                   -- nearly all names end here, for looking each letter up in a list is slow
                   when octet_length(plain.name) = length(plain.name) then plain.name
                   else replace(replace(replace(replace(
                          translate(
                            plain.name,
                            'ØøŁłĐđÐðĦħŦŧıÆŒẞÞŊƁƉƊƏƐƑƔƖƘƆƲƳ'
                              || 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣςΤΥΦΧΨΩ'
                              || 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐҒҖҚҜҠҢҮҰҲҶҸҺӘӨ'
                              || 'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
                            'oollddddhhttiæœßþŋɓɖɗəɛƒɣɩƙɔʋƴ'
                              || 'αβγδεζηθικλμνξοπρσστυφχψω'
                              || 'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґғҗқҝҡңүұҳҷҹһәө'
                              || 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'
                          ),
                          'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th')
                 end,
                 500
               ) collate "C" as name
          from (
            select lower(
                     regexp_replace(
                       normalize(listed.name, nfkd),
                       '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0001-\u0020\u007f-\u009f\u00ad\u1680\u180e\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufe00-\ufe0f\ufeff]+',
                       '', 'g'
                     ) collate "C"
                   ) as name
              from unnest(names) as listed (name)
            offset 0
          ) plain
      ) folded
  $$;
comment on function fold_names(names text[]) is
  'Names without case, accents and blanks: what two spellings of one name share, and no more is folded than that. Empty ones are left out, and of longer ones the first 500 characters tell them apart, which an index can hold.';

-- Without a list of its own for what comes, which every look-up would have to read through; and without statistics of
-- folded names, which tell the planner nothing.
create index companies_by_names on companies
  using gin (fold_names(array[company_name, legal_entity] || brands || aliases)) with (fastupdate = off)
  where merged_into is null;
alter index companies_by_names alter column 1 set statistics 0;
-- What any source filed: a Company of several identities shows the leading one's, and is found by each.
create index company_identities_by_legal_entity on company_identities (fold_names(array[legal_entity]))
  where legal_entity is not null;
alter index company_identities_by_legal_entity alter column 1 set statistics 0;

create table firmographics (
  domain_id bigint primary key references domains,
  fetched_at timestamptz not null,
  data jsonb not null,
  stream text not null
);
comment on table firmographics is
  'The latest complete result for a domain (§2.5): what a source said of the organisation behind the site. A failed attempt leaves no row and changes none.';
comment on column firmographics.fetched_at is 'When the source was asked, not when the row was written.';
comment on column firmographics.data is
  'The data fields of §2.5 by their names, each of them present; null where the source does not tell.';
