import type { World } from '../../database/open.ts'
import { observationSchemas } from '../read/observation-schemas.ts'
import { type RecordKind, recordKinds } from '../read/record-schemas.ts'
import { allowLongReading, readByCursor } from './cursor-store.ts'
import { dumpQuery, type LeftOut, leftOutQuery } from './dump-queries-store.ts'

export type DumpOptions = {
  /** Default: all. Kinds come in the order of recordKinds, whatever the order here. */
  kinds?: readonly RecordKind[]
}

export type DumpReport = {
  lines: number
  /** Facts that the interchange format has no place for. */
  left_out: LeftOut
}

/**
 * Writes everything that the interchange format carries, a record a line, without line ends: one snapshot, in a
 * stable order. What comes out, imported into an empty database and dumped again, is the same byte for byte. Keys of
 * accounts are never written. It is no backup: history, refs and money stay behind.
 */
export function dumpWorld(
  world: World,
  write: (line: string) => Promise<void> | void,
  options: DumpOptions = {},
): Promise<DumpReport> {
  const wanted = recordKinds.filter(kind => options.kinds?.includes(kind) ?? true)
  return world.database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => {
      await allowLongReading(tx)
      let lines = 0
      for (const kind of wanted) {
        for await (const rows of readByCursor<Record<string, unknown>>(tx, dumpQuery(kind))) {
          for (const row of rows) await write(lineOf(kind, row))
          lines += rows.length
        }
      }
      const { rows } = await leftOutQuery.execute(tx)
      return { lines, left_out: rows[0] as LeftOut }
    })
}

function lineOf(kind: RecordKind, row: Record<string, unknown>): string {
  return JSON.stringify({ kind, ...withoutUnknowns(kind === 'observation' ? flattened(row) : row) })
}

/** A field left out is null or empty when it is read back. */
function withoutUnknowns(row: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(row).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(known)
}

/** The stored value's fields between the others, in the order of the schema: jsonb keeps an order of its own. */
function flattened({ value, ...row }: Record<string, unknown>): Record<string, unknown> {
  const fields = { ...row, ...(value as Record<string, unknown>) } as Record<string, unknown>
  const schema = observationSchemas.get(row.section as string)
  const names = Object.keys(schema?.properties ?? fields).filter(name => name in fields)
  return Object.fromEntries(names.map(name => [name, fields[name]]))
}
