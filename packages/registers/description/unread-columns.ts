/** Finds columns that a description names and no record reads: neither the layout nor a record declares them. */
import { plain } from '@baize/tables'
import type { Description } from './description-schema.ts'

export function unreadColumns({ columns, layout, records, second_file, ...others }: Description): string[] {
  const { file, leave_out } = others
  const readers = [records, second_file?.licensee, leave_out, 'rows_with' in file ? file.rows_with : '']
  const read = new Set(textsIn([...readers, Object.values(columns).map(column => column.else ?? '')]))
  const printed = new Set(layout?.columns?.map(plain))
  return Object.entries(columns)
    .filter(([name, { headers }]) => !read.has(name) && !headers.some(header => printed.has(plain(header))))
    .map(([name]) => name)
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
