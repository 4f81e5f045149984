import { type Static, Type } from 'typebox'
import { closedObject } from '../../core/schema.ts'
import { lookUpRoles } from '../look-ups/index.ts'
import { dataOf } from '../send-request.ts'
import { type AnswerOf, defineSessionOperation } from '../session-operation.ts'
import { params } from './schemas.ts'
import { changePortfolio } from './write-portfolio.ts'

/** The fields have the names of members of the API, so that a refusal names the field. */
export const notifyPortfolio = defineSessionOperation({
  name: 'notify_portfolio',
  method: 'POST',
  path: '/dashboard/portfolios/{name}/notify',
  access: lookUpRoles,
  summary: 'Set whom a portfolio informs of changes, or end its messages',
  params,
  form: closedObject({
    'notify.email': Type.Optional(Type.String({ maxLength: 254 })),
    'notify.url': Type.Optional(Type.String({ maxLength: 2_048 })),
  }),
  failures: [...changePortfolio.failures, 'invalid_parameter', 'unprocessable_body'],
  async answer(context, { name, 'notify.email': email, 'notify.url': url }) {
    const notify = email === undefined && url === undefined ? null : { email, url }
    const sent = { operation: changePortfolio.name, params: { name }, body: { notify } }
    const stored = dataOf(await context.send(sent)) as Static<typeof changePortfolio.data>
    return { name, informs: notify !== null, secret: stored.notify?.secret ?? null }
  },
})
export type NotifiedPortfolio = AnswerOf<typeof notifyPortfolio>
