/** Portfolios in the dashboard, by the operations of the API. */
import { type Static, Type } from 'typebox'
import { closedObject } from '../../core/schema.ts'
import { prices } from '../../metering/pricing.ts'
import { domainInput } from '../inputs.ts'
import { boughtOf, buy, digestOf, lookUpRoles } from '../look-ups/index.ts'
import { dataOf, newNonce, paidFields, sendView } from '../send-request.ts'
import {
  type AnswerOf,
  accountOf,
  defineSessionOperation,
  type SessionContext,
} from '../session-operation.ts'
import { listPortfolioChanges, numberOf } from './list-changes.ts'
import { notifyPortfolio } from './notify-portfolio.ts'
import { readSeenCursor, storeSeenCursor } from './portfolios-store.ts'
import { findPortfolio, getPortfolio, listPortfolios, removePortfolio } from './read-portfolios.ts'
import { params } from './schemas.ts'
import { readScreened, readScreening, startScreening } from './screenings-store.ts'
import { downloadPortfolio, readColumn, uploadPortfolio } from './upload-portfolio.ts'
import { changePortfolio } from './write-portfolio.ts'

const pageRows = 100
const path = '/dashboard/portfolios/{name}'
const access = lookUpRoles

type Portfolio = Static<typeof getPortfolio.data>
type Changes = Static<typeof listPortfolioChanges.data>

/** Names a page of changes. A portfolio that was deleted and created again has other ones. */
const subjectOf = ({ name, created_at }: Portfolio, after = '') => digestOf([name, created_at, after])

/** Names a page of changes by its start. Empty pages share one name, so that they replace each other. */
const changesSubject = (of: Portfolio, after: string | null, isEmpty = false) =>
  isEmpty ? subjectOf(of) : `${subjectOf(of)} ${subjectOf(of, after ?? '')}`

/** Returns the pages of changes that the account bought, the newest first, and where the next one starts. */
async function changesOf(context: SessionContext, of: Portfolio) {
  const { accountId } = accountOf(context)
  const [pages, seen] = await Promise.all([
    boughtOf<Changes>(context, listPortfolioChanges.name, { prefix: subjectOf(of) }),
    readSeenCursor(context.world.database, { accountId, name: of.name }),
  ])
  // A process that stopped after the charge has stored the page, and not the position.
  const last = pages.find(({ subject }) => subject === changesSubject(of, seen))
  return { pages, seen, after: last?.response.next_cursor ?? seen }
}

const listAccountPortfolios = defineSessionOperation({
  name: 'list_account_portfolios',
  method: 'GET',
  path: '/dashboard/portfolios',
  access,
  summary: 'The portfolios of the account',
  failures: [],
  answer: async context =>
    (await sendView(context, { operation: listPortfolios.name })) as Static<typeof listPortfolios.data>,
})
export type ListedPortfolios = AnswerOf<typeof listAccountPortfolios>

const showAccountPortfolio = defineSessionOperation({
  name: 'show_account_portfolio',
  method: 'GET',
  path,
  access,
  summary: 'A portfolio, with the verdicts and changes that the account bought',
  params,
  query: closedObject({
    after: Type.Optional(Type.Integer({ minimum: 0 })),
    verdict: Type.Optional(Type.String({ maxLength: 20 })),
  }),
  failures: getPortfolio.failures,
  async answer(context, { name, after = 0, verdict }) {
    const { database } = context.world
    const found = (await sendView(context, { operation: getPortfolio.name, params: { name } })) as Portfolio
    const { id: portfolioId } = await findPortfolio(as(context), name)
    const [screened, rows, { pages: changes, after: changesAfter }] = await Promise.all([
      readScreening(database, portfolioId),
      readScreened(database, { portfolioId, verdict, after }, pageRows + 1),
      changesOf(context, found),
    ])
    const shown = rows.slice(0, pageRows)
    return {
      ...found,
      ...screened,
      verdict: verdict ?? null,
      members: shown.map(({ id: _, known_at, ...row }) => ({
        ...row,
        known_at: known_at?.toISOString() ?? null,
      })),
      members_after: rows.length > pageRows ? (shown.at(-1)?.id ?? null) : null,
      page_rows: pageRows,
      credits_per_site: prices['domain.verdict'].credits,
      changes,
      changes_after: changesAfter,
      nonce: newNonce(),
    }
  },
})
export type ShownPortfolio = AnswerOf<typeof showAccountPortfolio>

/** The parts of a request of the API that finding a portfolio needs. */
const as = (context: SessionContext) => ({ world: context.world, caller: accountOf(context) })

const screenPortfolio = defineSessionOperation({
  name: 'screen_portfolio',
  method: 'POST',
  path: `${path}/screen`,
  access,
  summary: 'Buy the verdicts of all members in the background, or continue where the balance ended',
  params,
  form: closedObject({
    version: Type.Integer({ minimum: 0 }),
    is_again: Type.Optional(Type.Boolean()),
    ...paidFields,
  }),
  failures: getPortfolio.failures,
  async answer(context, { name, version, is_again: isAgain = false, max_credits: creditsMax }) {
    const { id } = await findPortfolio(as(context), name)
    const wanted = { version, isAgain, creditsMax, now: context.now }
    await context.world.database.transaction().execute(tx => startScreening(tx, id, wanted))
    return { name }
  },
})

const readPortfolioChanges = defineSessionOperation({
  name: 'read_portfolio',
  method: 'POST',
  path,
  access,
  summary: 'Buy what changed among the members since the last look',
  params,
  form: closedObject({ after: Type.Optional(Type.String({ maxLength: 1_024 })), ...paidFields }),
  failures: listPortfolioChanges.failures,
  async answer(context, { name, after, ...paid }) {
    const found = (await sendView(context, { operation: getPortfolio.name, params: { name } })) as Portfolio
    const { seen, after: next } = await changesOf(context, found)
    // Another cursor is that of a form whose changes were bought meanwhile. The page shows them.
    if ((after ?? null) !== next) return { name }
    const subject = ({ changes = [] }: { changes?: unknown[] }) =>
      changesSubject(found, next, changes.length === 0)
    const query = { page_size: String(pageRows), ...(after === undefined ? {} : { after }) }
    const request = { operation: listPortfolioChanges.name, params: { name }, query, subject }
    const bought = (await buy(context, request, paid)) as Changes
    const key = { accountId: accountOf(context).accountId, name }
    const { id } = await findPortfolio(as(context), name)
    const next_cursor = bought.next_cursor
    const number = await numberOf(context.world, id, next_cursor)
    await storeSeenCursor(context.world.database, key, { seen, next: next_cursor, number })
    return { name }
  },
})

const addSite = defineSessionOperation({
  name: 'add_to_portfolio',
  method: 'POST',
  path: '/dashboard/portfolio-sites',
  access,
  summary: 'Add a site to a portfolio',
  form: closedObject({ ...params.properties, domain: domainInput('A URL or host.') }),
  failures: changePortfolio.failures,
  async answer(context, { name, domain }) {
    dataOf(await context.send({ operation: changePortfolio.name, params: { name }, body: { add: [domain] } }))
    return { name }
  },
})

const deleteAccountPortfolio = defineSessionOperation({
  name: 'delete_account_portfolio',
  method: 'POST',
  path: `${path}/delete`,
  access,
  summary: 'Delete a portfolio',
  params,
  failures: removePortfolio.failures,
  answer: async (context, { name }) =>
    dataOf(await context.send({ operation: removePortfolio.name, params: { name } })),
})

export const portfolioSessionOperations = [
  listAccountPortfolios,
  uploadPortfolio,
  readColumn,
  showAccountPortfolio,
  downloadPortfolio,
  screenPortfolio,
  readPortfolioChanges,
  addSite,
  notifyPortfolio,
  deleteAccountPortfolio,
]
