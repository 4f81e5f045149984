import { closedObject, nullable } from '../../core/schema.ts'
import { defineOperation } from '../operation.ts'
import { removeSuppressed } from '../people/index.ts'
import { requireVisibleList, type VisibleList } from './prospect-list-store.ts'
import { prospectListResult } from './result-schema.ts'
import { listMembers, listParams } from './schemas.ts'
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
  query: closedObject({}),
  params: closedObject(listParams),
  data: closedObject({
    ...listMembers,
    result: nullable(prospectListResult, { description: 'null before the list is ready.' }),
  }),
  prices: [],
  failures: ['not_found'],
  demo: [],
  example,

  async quote({ world, caller }, { prospect_list_ref: ref }) {
    const list = await requireVisibleList(world.database, caller.accountId, ref)
    const result = list.result === null ? null : (await removeSuppressed(world.database, list.result)).result
    const data = {
      ...metadataOf({ ...list, target_account_count: result?.target_accounts.length ?? null }),
      result,
    }
    return { ceiling: 0, deliver: async () => ({ data, charges: [] }) }
  },
})

/** Returns all members of a list but its result. */
export function metadataOf(list: VisibleList) {
  return {
    prospect_list_ref: list.prospect_list_ref,
    status: list.status,
    cadence: list.cadence,
    requested_at: list.requested_at.toISOString(),
    ready_at: list.ready_at?.toISOString() ?? null,
    target_account_count: list.target_account_count,
    download_path: list.status === 'ready' ? `/v1/prospect-lists/${list.prospect_list_ref}/download` : null,
  }
}
