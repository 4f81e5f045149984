-- What an account bought in the dashboard, shown again without a charge while the answer is stored.
create table bought_answers (
  account_id bigint not null,
  operation text collate "C" not null,
  subject text collate "C" not null,
  settlement_id uuid not null,
  idempotency_key text not null,
  bought_at timestamptz not null,
  primary key (account_id, operation, subject)
);
create index bought_answers_by_age on bought_answers (bought_at);
create index bought_answers_of_account on bought_answers (account_id, bought_at desc);
comment on table bought_answers is 'The newest stored answer of an account about each subject, bought in the dashboard. A free one replaces no paid one. Purged with the answer in idempotency_records, which has its text; in no dump.';
comment on column bought_answers.subject is 'A ref, a domain, or the SHA-256 of the filters of a search. After a space, which part was bought: a role, an extra, or the SHA-256 of a page.';
comment on column bought_answers.settlement_id is 'Of the charge. The answer is shown only if idempotency_records still has that of this charge.';

create function write_charged_bought_answer(account_id bigint, request_id text, client json, data jsonb)
 returns void
 language sql
as $function$
  insert into bought_answers (account_id, operation, subject, settlement_id, idempotency_key, bought_at)
  values (account_id, data ->> 'operation', data ->> 'subject', (data ->> 'settlement_id')::uuid,
          data ->> 'idempotency_key', (data ->> 'bought_at')::timestamptz)
  on conflict on constraint bought_answers_pkey do update
    set settlement_id = excluded.settlement_id,
        idempotency_key = excluded.idempotency_key,
        bought_at = excluded.bought_at
    where (data ->> 'credits')::bigint > 0
       or not exists (select
                        from idempotency_records record
                       where record.account_id = bought_answers.account_id
                         and record.idempotency_key = bought_answers.idempotency_key
                         and record.settlement_id = bought_answers.settlement_id
                         and record.credits > 0)
$function$;

-- A charge may write rows without a job. Only this condition of the function changes.
do $change$
declare
  with_job constant text := 'as write (item, job)
          where outcomes[write.item] = ''new'';';
  definition constant text := pg_get_functiondef('settle'::regproc);
begin
  if strpos(definition, with_job) = 0 then
    raise exception 'the function settle does not have the expected text';
  end if;
  execute replace(definition, with_job,
                  replace(with_job, '= ''new'';', '= ''new'' and jsonb_typeof(write.job) = ''object'';'));
end $change$;
