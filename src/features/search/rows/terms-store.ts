import { sql } from 'kysely'
import type { Database, Transaction } from '../../../database/open.ts'
import type { SearchSubject, Term } from '../contract.ts'
import { rowsTable } from './rebuild-rows-store.ts'
import { termKeyOf } from './search-row.ts'

/** A term that counts all rows. It is not among the terms of a row. */
const rowCounter: Term = { field: '', value: '' }

const named = (terms: readonly Term[]) => sql`
  unnest(${terms.map(term => term.field)}::text[], ${terms.map(term => term.value)}::text[])
    as named (field, value)`

export class TermCounter {
  readonly #tx: Transaction
  readonly #subject: SearchSubject
  readonly #ids = new Map<string, number>()
  readonly #changes = new Map<number, number>()

  constructor(tx: Transaction, subject: SearchSubject) {
    this.#tx = tx
    this.#subject = subject
  }

  /** Inserts unknown terms, so that `idOf` has their ids. */
  async resolve(terms: Iterable<Term>): Promise<void> {
    const unknown = new Map<string, Term>()
    for (const term of [rowCounter, ...terms])
      if (!this.#ids.has(termKeyOf(term))) unknown.set(termKeyOf(term), term)
    if (unknown.size === 0) return
    await this.#find(unknown)
    if (unknown.size === 0) return
    const inserted = [...unknown.values()]
    await sql`
      insert into search_terms (subject, field, value)
      select ${this.#subject}, named.field, named.value
        from ${named(inserted)}
       order by named.field, named.value
      on conflict do nothing`.execute(this.#tx)
    await this.#find(unknown)
  }

  async #find(unknown: Map<string, Term>): Promise<void> {
    const { rows } = await sql<Term & { id: number }>`
      select stored.id, stored.field, stored.value
        from ${named([...unknown.values()])}
        join search_terms stored
          on stored.subject = ${this.#subject}
         and stored.field = named.field
         and stored.value = named.value`.execute(this.#tx)
    for (const row of rows) {
      this.#ids.set(termKeyOf(row), row.id)
      unknown.delete(termKeyOf(row))
    }
  }

  idOf(term: Term): number {
    const id = this.#ids.get(termKeyOf(term))
    if (id === undefined) throw new Error(`the term ${termKeyOf(term)} was not resolved`)
    return id
  }

  /** Counts a row whose terms changed. `before` is undefined for a new row, and `after` for a deleted one. */
  count(before: readonly number[] | undefined, after: readonly number[] | undefined): void {
    const rowsId = this.idOf(rowCounter)
    for (const id of before === undefined ? [] : [...before, rowsId]) this.#change(id, -1)
    for (const id of after === undefined ? [] : [...after, rowsId]) this.#change(id, 1)
  }

  #change(id: number, change: number): void {
    this.#changes.set(id, (this.#changes.get(id) ?? 0) + change)
  }

  /** Writes the changes in order of id, to avoid deadlocks. */
  async write(): Promise<void> {
    const changes = [...this.#changes]
      .filter(([, change]) => change !== 0)
      .sort(([one], [other]) => one - other)
    this.#changes.clear()
    if (changes.length === 0) return
    const ids = changes.map(([id]) => id)
    await sql`
      select 1 from search_terms
       where id = any (${ids}::int[])
       order by id
         for no key update`.execute(this.#tx)
    await sql`
      update search_terms term
         set rows = term.rows + change.rows
        from unnest(${ids}::int[], ${changes.map(([, change]) => change)}::bigint[])
                as change (id, rows)
       where term.id = change.id`.execute(this.#tx)
  }
}

type TermDifference = { field: string; value: string; stored: number; counted: number }

export async function readTermDifferences(database: Database, subject: SearchSubject, max: number) {
  const { rows } = await sql<TermDifference>`
    with counted as (
      select term as id, count(*) as rows
        from ${rowsTable(subject)} stored
       cross join unnest(stored.terms) as term
       group by term
    ),
    compared as (
      select term.field, term.value, term.rows as stored,
             case
               when term.field = '' then (select count(*) from ${rowsTable(subject)})
               else coalesce(counted.rows, 0)
             end as counted
        from search_terms term
        left join counted using (id)
       where term.subject = ${subject}
    )
    select *
      from compared
     where stored <> counted
     order by field, value
     limit ${max}`.execute(database)
  return rows
}
