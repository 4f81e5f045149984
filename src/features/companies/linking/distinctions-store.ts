import { sql } from 'kysely'
import type { Transaction } from '../../../database/open.ts'

export async function writeDistinction(
  tx: Transaction,
  { one, other, reason, now }: { one: number; other: number; reason: string; now: Date },
): Promise<void> {
  await sql`
    insert into company_distinctions (company_id, other_company_id, reason, decided_at)
    values (least(${one}::bigint, ${other}), greatest(${one}::bigint, ${other}), ${reason}, ${now})
    on conflict (company_id, other_company_id)
    do update set reason = excluded.reason, decided_at = excluded.decided_at`.execute(tx)
}

/** The parties from which `from` is distinct are distinct from `into`, too. */
export async function copyDistinctions(tx: Transaction, from: number, into: number): Promise<void> {
  await sql`
    insert into company_distinctions (company_id, other_company_id, reason, decided_at)
    select least(other_id, ${into}), greatest(other_id, ${into}), reason, decided_at
      from (
        select case when company_id = ${from} then other_company_id else company_id end as other_id, reason,
               decided_at
          from company_distinctions
         where ${from} in (company_id, other_company_id)
      ) distinction
     where other_id <> ${into}
    on conflict do nothing`.execute(tx)
}

export async function deleteDistinction(tx: Transaction, one: number, other: number): Promise<void> {
  await sql`
    delete from company_distinctions
     where company_id = least(${one}::bigint, ${other})
       and other_company_id = greatest(${one}::bigint, ${other})
  `.execute(tx)
}
