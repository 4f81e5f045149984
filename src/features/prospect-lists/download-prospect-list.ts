import { memoryFile } from '@baize/files'
import type { FileAnswer } from '@baize/http-content'
import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { defineOperation } from '../operation.ts'
import { removeSuppressed } from '../people/index.ts'
import { requireVisibleList } from './prospect-list-store.ts'
import { resultCsv } from './result-csv.ts'
import { listParams } from './schemas.ts'

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
  query: closedObject({
    spreadsheet: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Prefix cells that begin with `=`, `+`, `-`, `@` or a tab with an apostrophe.',
      }),
    ),
  }),
  params: closedObject(listParams),
  data: closedObject({}),
  download: { [contentType]: Type.String() },
  prices: [],
  failures: ['not_found', 'prospect_list_not_ready'],
  demo: [],
  example: null,

  async quote({ world, caller }, { prospect_list_ref: ref, spreadsheet = false }) {
    const list = await requireVisibleList(world.database, caller.accountId, ref)
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
