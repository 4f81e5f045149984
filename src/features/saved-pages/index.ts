/** Searches that people save for their account, and Companies that it follows. */
import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { accountOf, defineSessionOperation, wrongField } from '../session-operation.ts'
import { deleteSavedPage, insertSavedPage } from './saved-pages-store.ts'

export { readSavedPages, type SavedPage } from './saved-pages-store.ts'

const access = ['owner', 'member'] as const

const savePage = defineSessionOperation({
  name: 'save_page',
  method: 'POST',
  path: '/dashboard/saved',
  access,
  summary: 'Save a search, or follow a Company, for all members of the account',
  form: closedObject({
    name: Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' }),
    address: Type.String({ maxLength: 2_000, pattern: '^/dashboard/(companies|licenses|domains)([/?]|$)' }),
  }),
  failures: ['invalid_parameter'],
  async answer(context, { name, address }) {
    const { accountId } = accountOf(context)
    const page = { accountId, name: name.trim(), address, now: context.now }
    if (await insertSavedPage(context.world.database, page)) return { address }
    throw wrongField('name', 'The account has 200 saved pages. Delete one first.')
  },
})

const deleteSaved = defineSessionOperation({
  name: 'delete_saved_page',
  method: 'POST',
  path: '/dashboard/saved/{id}/delete',
  access,
  summary: 'Delete a saved search, or follow a Company no longer',
  params: closedObject({ id: Type.Integer({ minimum: 1 }) }),
  failures: ['route_not_found'],
  async answer(context, { id }) {
    const address = await deleteSavedPage(context.world.database, accountOf(context).accountId, id)
    if (address === undefined) throw new Failure('route_not_found')
    return { address }
  },
})

export const savedPageOperations = [savePage, deleteSaved]
