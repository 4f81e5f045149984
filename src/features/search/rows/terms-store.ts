import { sql } from 'kysely'
import type { Database, Transaction } from '../../../database/open.ts'
import type { SearchSubject } from '../contract.ts'
import type { Term } from './search-row.ts'

/** Of every row, and listed by none: its count is the number of rows. */
const everyRow: Term = { field: '', value: '' }

/** For a `from`. */
const named = (terms: readonly Term[]) => sql`
  unnest(${terms.map(term => term.field)}::text[], ${terms.map(term => term.value)}::text[]) as named (field, value)`

const keyOf = ({ field, value }: Term) => `${field}\n${value}`

/** Gives terms their ids, and counts which rows came to hold them and which no longer do. */
export class TermCounter {
  readonly #tx: Transaction
  readonly #subject: SearchSubject
  readonly #ids = new Map<string, number>()
  readonly #steps = new Map<number, number>()

  constructor(tx: Transaction, subject: SearchSubject) {
    this.#tx = tx
    this.#subject = subject
  }

  /** Looks the terms of many rows up, and makes those that are new; `idOf` knows them then. */
  async learn(terms: Iterable<Term>): Promise<void> {
    const unknown = new Map<string, Term>()
    for (const term of [everyRow, ...terms]) if (!this.#ids.has(keyOf(term))) unknown.set(keyOf(term), term)
    if (unknown.size === 0) return
    await this.#find(unknown)
    if (unknown.size === 0) return
    const made = [...unknown.values()]
    await sql`
      insert into search_terms (subject, field, value)
      select ${this.#subject}, named.field, named.value
        from ${named(made)}
       order by named.field, named.value
      on conflict do nothing`.execute(this.#tx)
    await this.#find(unknown)
  }

  /** Learns those that are held already, and takes them out of the unknown. */
  async #find(unknown: Map<string, Term>): Promise<void> {
    const { rows } = await sql<Term & { id: number }>`
      select held.id, held.field, held.value
        from ${named([...unknown.values()])}
        join search_terms held
          on held.subject = ${this.#subject} and held.field = named.field and held.value = named.value`.execute(
      this.#tx,
    )
    for (const row of rows) {
      this.#ids.set(keyOf(row), row.id)
      unknown.delete(keyOf(row))
    }
  }

  idOf(term: Term): number {
    const id = this.#ids.get(keyOf(term))
    if (id === undefined) throw new Error(`the term ${keyOf(term)} was not learnt`)
    return id
  }

  /** A row that held these terms holds those; undefined: there was, or there is, no such row. */
  count(before: readonly number[] | undefined, after: readonly number[] | undefined): void {
    const every = this.idOf(everyRow)
    for (const id of before === undefined ? [] : [...before, every]) this.#step(id, -1)
    for (const id of after === undefined ? [] : [...after, every]) this.#step(id, 1)
  }

  #step(id: number, step: number): void {
    this.#steps.set(id, (this.#steps.get(id) ?? 0) + step)
  }

  /** In the order of ids, so that two transactions wait for each other and never both. */
  async write(): Promise<void> {
    const steps = [...this.#steps].filter(([, step]) => step !== 0).sort(([one], [other]) => one - other)
    this.#steps.clear()
    if (steps.length === 0) return
    const ids = steps.map(([id]) => id)
    await sql`select 1 from search_terms where id = any (${ids}::int[]) order by id for no key update`.execute(
      this.#tx,
    )
    await sql`
      update search_terms term
         set rows = term.rows + step.rows
        from unnest(${ids}::int[], ${steps.map(([, step]) => step)}::bigint[]) as step (id, rows)
       where term.id = step.id`.execute(this.#tx)
  }
}

export type TermDifference = { field: string; value: string; stored: number; counted: number }

/** Where the dictionary counts other than the rows do. */
export async function readTermDifferences(
  database: Database,
  subject: SearchSubject,
  max: number,
): Promise<TermDifference[]> {
  const { rows } = await sql<TermDifference>`
    with counted as (
      select term as id, count(*) as rows
        from ${sql.table(`${subject}_search`)} held
       cross join unnest(held.terms) as term
       group by term
    )
    select term.field, term.value, term.rows as stored,
           case when term.field = '' then (select count(*) from ${sql.table(`${subject}_search`)})
                else coalesce(counted.rows, 0) end as counted
      from search_terms term
      left join counted using (id)
     where term.subject = ${subject}
       and term.rows <> case when term.field = '' then (select count(*) from ${sql.table(`${subject}_search`)})
                             else coalesce(counted.rows, 0) end
     order by term.field, term.value
     limit ${max}`.execute(database)
  return rows
}
