import { Type } from 'typebox'
import { closed } from '../../core/schema.ts'
import { defineOperation } from '../operation.ts'
import { removeSuppressed } from '../people/index.ts'
import { findVisibleList } from './prospect-list-store.ts'
import { listMembers, listParams, metadataOf, noSuchList, resultMember } from './schemas.ts'
import example from './show-prospect-list.example.json' with { type: 'json' }

export const showProspectList = defineOperation({
  name: 'show_prospect_list',
  method: 'GET',
  path: '/v1/prospect-lists/{prospect_list_ref}',
  tag: 'Prospect lists',
  section: '§4.15',
  summary: 'Show one prospect list, with its result',
  description: `Returns one of your lists, with its result once it is ready. Cancelled lists and lists of
other accounts return the same 404 as unknown ones.`,
  query: Type.Object({}, closed),
  params: Type.Object(listParams, closed),
  data: Type.Object({ ...listMembers, result: resultMember }, closed),
  prices: [],
  failures: ['not_found'],
  demo: [],
  example,

  async quote({ world, caller }, { prospect_list_ref: ref }) {
    const list = await findVisibleList(world.database, caller.accountId, ref)
    if (list === undefined) throw noSuchList()
    const result = list.result === null ? null : (await removeSuppressed(world.database, list.result)).result
    const data = {
      ...metadataOf({ ...list, target_account_count: result?.target_accounts.length ?? null }),
      result,
    }
    return { ceiling: 0, deliver: async () => ({ data, charges: [] }) }
  },
})
