-- /readyz writes here what a charge would need: readiness means that a charge can be settled.
create table settling_probes (
  only_row boolean primary key default true check (only_row),
  probed_at timestamptz not null
);
comment on table settling_probes is 'One row, written by /readyz of all processes on this database.';
comment on column settling_probes.only_row is 'Always true.';
comment on column settling_probes.probed_at is 'When a probe last succeeded.';

insert into settling_probes (probed_at) values (now());

-- Fails with the error of a charge: a full disk, a database that is read-only, missing rights.
-- The sort exceeds work_mem and spills about 300 KB to disk: an update alone finds room in its page on a full disk.
create function probe_settling_v1() returns void
language plpgsql
set work_mem = '64kB'
as $$
begin
  update settling_probes set probed_at = clock_timestamp();
  perform count(*)
     from (select repeat(md5(n::text), 8) as filler from generate_series(1, 1000) n order by filler offset 0) spilled;
end
$$;
