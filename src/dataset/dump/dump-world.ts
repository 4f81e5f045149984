import type { World } from '../../database/open.ts'
import { observationSchemas } from '../read/observation-schemas.ts'
import { type RecordKind, recordKinds } from '../read/record-schemas.ts'
import { allowLongReading, readByCursor } from './cursor-store.ts'
import { dumpQuery, type LeftOut, leftOutQuery } from './dump-queries-store.ts'

export type DumpOptions = {
  /** The default is all kinds. */
  kinds?: readonly RecordKind[]
}

export type DumpReport = {
  lines: number
  left_out: LeftOut
}

/**
 * Writes all records that the format can express, without line ends, from one snapshot. A dump that is
 * loaded into an empty database and dumped again is the same byte for byte. A dump is not a backup:
 * history, refs, API keys and money are left out.
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
  return JSON.stringify({ kind, ...withoutEmpty(kind === 'observation' ? flattened(row) : row) })
}

function withoutEmpty(row: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(row).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(known)
}

/**
 * Puts the fields of the stored value beside the line's own fields, in schema order, because jsonb sorts
 * its keys.
 */
function flattened({ value, ...row }: Record<string, unknown>): Record<string, unknown> {
  const fields = { ...row, ...(value as Record<string, unknown>) } as Record<string, unknown>
  const schema = observationSchemas.get(row.section as string)
  const names = Object.keys(schema?.properties ?? fields).filter(name => name in fields)
  return Object.fromEntries(names.map(name => [name, fields[name]]))
}
