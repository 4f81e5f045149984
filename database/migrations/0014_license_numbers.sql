-- Finding a license by its number (§4.9), and what it last was where its register no longer has it.

-- No function of ours is called inside another: an index is built and analysed without our search path.
create function fold_license_number(number text) returns text
  language sql immutable strict parallel safe
  as $$ select upper(regexp_replace(number, '[\s\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+', '', 'g')) $$;
comment on function fold_license_number(number text) is
  'A license number without blanks and in capitals: what two spellings of one number share.';

-- The shape of a version counter is that of src/core/license-number.ts.
create function license_number_key(number text) returns text
  language sql immutable strict parallel safe
  as $$
    select regexp_replace(
             upper(regexp_replace(number, '[\s\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+', '', 'g')),
             '^(\d+-[A-Z]+-\d+)-\d+$', '\1')
  $$;
comment on function license_number_key(number text) is
  'The folded number without a version counter as the UKGC prints one: what a number is looked up by. Numbers of other registers that end like one are told apart after the look-up.';

-- Open and closed: a license that left its register is still found by the number that it had.
create index license_states_by_number_key on license_states (license_number_key(license_number));
drop index license_states_by_number;

-- What a license last was, once its register no longer has it.
create index license_states_past on license_states (license_id, known_from, id) where known_to is not null;
