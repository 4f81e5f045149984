-- A customer joins a waiting check that was queued behind others.
create function hasten_job(key text, priority int) returns void
language plpgsql
as $$
begin
  if to_regclass('graphile_worker.jobs') is not null then
    perform graphile_worker.reschedule_jobs(
              array(
                select job.id
                  from graphile_worker.jobs job
                 where job.key = hasten_job.key and job.priority > hasten_job.priority),
              priority := hasten_job.priority);
  end if;
exception
  when undefined_function then null; -- not created yet, or not with these parameters
end $$;
comment on function hasten_job is 'Lowers the priority number of a waiting job, never raises it. A running one is left.';
