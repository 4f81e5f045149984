/** Portfolios in the dashboard, by the operations of the API. */
import { Refusal, readSitesApart } from '@baize/tables'
import { type Static, Type } from 'typebox'
import { closedObject } from '../../core/schema.ts'
import { boughtOf, buy, digestOf, lookUpRoles } from '../look-ups/index.ts'
import { dataOf, newNonce, paidFields, sendView } from '../send-request.ts'
import {
  type AnswerOf,
  accountOf,
  defineSessionOperation,
  type SessionContext,
  wrongField,
} from '../session-operation.ts'
import { listPortfolioChanges } from './list-changes.ts'
import { listPortfolioMembers } from './list-members.ts'
import { readSeenCursor, storeSeenCursor } from './portfolios-store.ts'
import { getPortfolio, listPortfolios, removePortfolio } from './read-portfolios.ts'
import { params } from './schemas.ts'
import { putPortfolio } from './write-portfolio.ts'

const pageRows = 100
const unresolvedShownMax = 50
const path = '/dashboard/portfolios/{name}'
const access = lookUpRoles
/** 8 MiB as base64. */
const fileCharactersMax = 11_200_000
const cursor = Type.Optional(Type.String({ maxLength: 1_024 }))

type Portfolio = Static<typeof getPortfolio.data>
type Members = Static<typeof listPortfolioMembers.data>
type Changes = Static<typeof listPortfolioChanges.data>

/** Names a page of rows. A portfolio that was deleted and created again has other ones. */
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

const uploadPortfolio = defineSessionOperation({
  name: 'upload_portfolio',
  method: 'POST',
  path: '/dashboard/portfolios',
  access,
  summary: 'Store a file of sites as a portfolio',
  form: closedObject({
    ...params.properties,
    file: Type.String({ maxLength: fileCharactersMax, takes: 'a CSV, TXT or XLSX file of at most 8 MiB' }),
    column: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  failures: ['invalid_parameter', 'unprocessable_body', 'portfolio_limit'],
  async answer(context, { name, file, column: wanted }) {
    const { sites, ...read } = await readSitesApart(Buffer.from(file, 'base64'), wanted).catch(error => {
      if (error instanceof Refusal) throw wrongField('file', error.message)
      throw error
    })
    const sent = { operation: putPortfolio.name, params: { name }, body: { domains: sites } }
    const stored = dataOf(await context.send(sent)) as Static<typeof putPortfolio.data>
    const { unresolved } = stored
    const shown = unresolved.slice(0, unresolvedShownMax)
    return { ...stored, ...read, rows: sites.length, unresolved: shown, unresolved_count: unresolved.length }
  },
})
export type UploadedPortfolio = AnswerOf<typeof uploadPortfolio>

const showAccountPortfolio = defineSessionOperation({
  name: 'show_account_portfolio',
  method: 'GET',
  path,
  access,
  summary: 'A portfolio, with the rows that the account bought',
  params,
  query: closedObject({ after: cursor }),
  failures: getPortfolio.failures,
  async answer(context, { name, after }) {
    const found = (await sendView(context, { operation: getPortfolio.name, params: { name } })) as Portfolio
    const [members = null] = await boughtOf<Members>(context, listPortfolioMembers.name, [
      subjectOf(found, after),
    ])
    const { pages: changes, after: changesAfter } = await changesOf(context, found)
    return {
      ...found,
      after: after ?? null,
      page_rows: pageRows,
      members,
      changes,
      changes_after: changesAfter,
      nonce: newNonce(),
    }
  },
})
export type ShownPortfolio = AnswerOf<typeof showAccountPortfolio>

const readPortfolio = defineSessionOperation({
  name: 'read_portfolio',
  method: 'POST',
  path,
  access,
  summary: 'Buy a page of members with their verdicts, or what changed since the last look',
  params,
  form: closedObject({ changes: Type.Optional(Type.Boolean()), after: cursor, ...paidFields }),
  failures: listPortfolioChanges.failures,
  async answer(context, { name, changes: isOfChanges = false, after, ...paid }) {
    const found = (await sendView(context, { operation: getPortfolio.name, params: { name } })) as Portfolio
    const request = {
      params: { name },
      query: { page_size: String(pageRows), ...(after === undefined ? {} : { after }) },
    }
    if (!isOfChanges) {
      const subject = () => subjectOf(found, after)
      await buy(context, { operation: listPortfolioMembers.name, ...request, subject }, paid)
      return { name, after: after ?? null }
    }
    const { seen, after: next } = await changesOf(context, found)
    // Another cursor is that of a form whose changes were bought meanwhile. The page shows them.
    if ((after ?? null) !== next) return { name, after: null }
    const subject = ({ changes = [] }: { changes?: unknown[] }) =>
      changesSubject(found, next, changes.length === 0)
    const operation = listPortfolioChanges.name
    const bought = (await buy(context, { operation, ...request, subject }, paid)) as Changes
    const key = { accountId: accountOf(context).accountId, name }
    await storeSeenCursor(context.world.database, key, { seen, next: bought.next_cursor })
    return { name, after: null }
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
  showAccountPortfolio,
  readPortfolio,
  deleteAccountPortfolio,
]
