import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { memoryFile } from '../../core/memory-file.ts'
import type { FileAnswer } from '../../core/operation.ts'
import { closed } from '../../core/schema.ts'
import { defineOperation } from '../operation.ts'
import { removeSuppressed } from '../people/index.ts'
import { findVisibleList } from './prospect-list-store.ts'
import { resultCsv } from './result-csv.ts'
import { listParams, noSuchList } from './schemas.ts'

const contentType = 'text/csv; charset=utf-8'

export const downloadProspectList = defineOperation({
  name: 'download_prospect_list',
  method: 'GET',
  path: '/v1/prospect-lists/{prospect_list_ref}/download',
  tag: 'Prospect lists',
  section: '§4.15',
  summary: 'Download a ready prospect list as CSV',
  description: `Twelve columns, one row per contact. Several values in a cell are separated by line breaks.
Values are exact. To open the file in a spreadsheet, send \`spreadsheet=true\`: cells that a spreadsheet would
run as a formula then begin with an apostrophe.`,
  query: Type.Object(
    {
      spreadsheet: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Prefix cells that begin with `=`, `+`, `-`, `@` or a tab with an apostrophe.',
        }),
      ),
    },
    closed,
  ),
  params: Type.Object(listParams, closed),
  data: Type.Object({}, closed),
  download: { [contentType]: Type.String() },
  prices: [],
  failures: ['not_found', 'prospect_list_not_ready'],
  demo: [],
  example: null,

  async quote({ world, caller }, { prospect_list_ref: ref, spreadsheet = false }) {
    const list = await findVisibleList(world.database, caller.accountId, ref)
    if (list === undefined) throw noSuchList()
    if (list.result === null || list.ready_at === null) throw new Failure('prospect_list_not_ready')
    const { result } = await removeSuppressed(world.database, list.result)
    const file: FileAnswer = {
      ...memoryFile(Buffer.from(resultCsv(ref, result, { forSpreadsheet: spreadsheet }))),
      fileName: `prospect-list-${list.ready_at.toISOString().slice(0, 10)}-${ref}.csv`,
      contentType,
    }
    return { ceiling: 0, deliver: async () => ({ data: {}, charges: [], file }) }
  },
})
