-- Most of the time of folding was spent on starting the query of an SQL function and on rules for other scripts.
-- The results are the same, so indexes stay valid.
create or replace function fold_names(names text[])
  returns text[]
  language plpgsql
  immutable
  parallel safe
as $function$
declare
  one_name text;
  one_key text;
  keys text[] := '{}';
begin
  foreach one_name in array coalesce(names, '{}') loop
    if one_name ~ '[^ -~]' then
      -- The whole function as one query: an index may not call another function of this schema.
      return (
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
      );
    end if;
    one_key := left(lower(replace(one_name, ' ', '') collate "C"), 500);
    if one_key <> '' and one_key <> all (keys) then
      keys := keys || one_key;
    end if;
  end loop;
  if cardinality(keys) < 2 then
    return keys;
  elsif cardinality(keys) = 2 then
    return case when keys[1] < keys[2] collate "C" then keys else array[keys[2], keys[1]] end;
  end if;
  return array(select name from unnest(keys) as name order by name collate "C");
end $function$;
