-- Queues a job in the caller's transaction, as settle_v2 does.
create function queue_job(task text, key text, payload json, attempts_max int, priority int) returns void
language plpgsql
as $$
begin
  -- The first worker creates the queue, in several steps. A row that was written without a job is found by that worker.
  if to_regclass('graphile_worker.jobs') is not null then
    perform graphile_worker.add_job(
              identifier := queue_job.task,
              payload := queue_job.payload,
              max_attempts := queue_job.attempts_max,
              job_key := queue_job.key,
              priority := queue_job.priority);
  end if;
exception
  when undefined_function then null; -- not created yet, or not with these parameters
end $$;
comment on function queue_job is
  'Replaces a waiting job with its key; beside a running one a new job is queued. Lower priorities start first.';

alter table site_checks add column attempts int not null default 0;
comment on column site_checks.attempts is 'How often a worker has claimed it.';
