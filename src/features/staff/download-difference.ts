import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { csvText } from '../../core/csv-cell.ts'
import { Failure } from '../../core/failure.ts'
import { closed } from '../../core/schema.ts'
import { openStoredFile } from '../../journal/index.ts'
import { csvAttachment } from '../account/index.ts'
import { defineSessionOperation } from '../session-operation.ts'
import { type Difference, findDifference } from './staff-store.ts'

const columns = ['change', 'kind', 'record', 'field', 'before', 'after']

function linesOf({ change, kind, name, fields }: Difference): string {
  const rows = fields.length === 0 ? [{ name: null, before: null, after: null }] : fields
  const cells = rows.map(field => [change, kind, name, field.name, field.before, field.after])
  return csvText(cells, { forSpreadsheet: true })
}

export const downloadDifference = defineSessionOperation({
  name: 'download_difference',
  method: 'GET',
  path: '/dashboard/staff/snapshots/{snapshot_ref}/difference.csv',
  access: 'staff',
  summary: 'All that a quarantined snapshot would change, a line per changed field',
  query: Type.Object({}, closed),
  params: Type.Object({ snapshot_ref: Type.String({ maxLength: 64 }) }, closed),
  data: Type.Object({}),
  failures: ['route_not_found'],
  async answer({ world: { database } }, { snapshot_ref: ref }) {
    const sha256 = await findDifference(database, ref)
    if (sha256 === null) throw new Failure('route_not_found')
    return csvAttachment(`${ref}-difference.csv`, async write => {
      await write(csvText([columns]))
      const input = Readable.from(openStoredFile(database, sha256))
      for await (const line of createInterface({ input }))
        await write(linesOf(JSON.parse(line) as Difference))
    })
  },
})
