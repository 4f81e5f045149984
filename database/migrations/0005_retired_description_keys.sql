-- Two keys of register descriptions are gone: the bound of removals follows the stream's own snapshots, and
-- growth withholds no Signals. Stored descriptions lose them, because an unknown key is refused.
update described_registers
   set description = regexp_replace(
         description, '^[ \t]*"?(rows_complete|removed_share_max)"?[ \t]*:[^\n]*(\n|$)', '', 'gn'
       )
 where description ~ '(rows_complete|removed_share_max)';
