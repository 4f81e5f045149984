/** Files of customers become portfolios, and get verdicts as columns. */
import { setImmediate } from 'node:timers/promises'
import { memoryFile } from '@baize/files'
import { findMarket } from '@baize/names'
import { extendTableApart, Refusal, readSitesApart } from '@baize/tables'
import { type Static, Type } from 'typebox'
import { closedObject } from '../../core/schema.ts'
import { Attachment } from '../../core/session-operation.ts'
import { lookUpRoles } from '../look-ups/index.ts'
import { dataOf } from '../send-request.ts'
import {
  type AnswerOf,
  accountOf,
  defineSessionOperation,
  type SessionContext,
  wrongField,
} from '../session-operation.ts'
import { findPortfolio } from './read-portfolios.ts'
import { params } from './schemas.ts'
import { readPortfolioFile, readScreened, storePortfolioFile } from './screenings-store.ts'
import { putPortfolio } from './write-portfolio.ts'

const unresolvedShownMax = 50
/** 20 MiB as base64. */
const fileCharactersMax = 27_970_000
const path = '/dashboard/portfolios/{name}'
const access = lookUpRoles
const columnField = Type.Optional(Type.String({ maxLength: 200 }))
const failures = ['invalid_parameter', 'unprocessable_body', 'portfolio_limit', 'not_found'] as const

export const uploadPortfolio = defineSessionOperation({
  name: 'upload_portfolio',
  method: 'POST',
  path: '/dashboard/portfolios',
  access,
  summary: 'Store a file of sites as a portfolio',
  form: closedObject({
    ...params.properties,
    file: Type.String({ maxLength: fileCharactersMax, takes: 'a CSV, TXT or XLSX file of at most 20 MiB' }),
  }),
  failures,
  answer: (context, { name, file }) => storeSites(context, name, Buffer.from(file, 'base64')),
})
export type UploadedPortfolio = AnswerOf<typeof uploadPortfolio>

export const readColumn = defineSessionOperation({
  name: 'read_portfolio_column',
  method: 'POST',
  path: `${path}/column`,
  access,
  summary: 'Read the sites of a portfolio from another column of its file',
  params,
  form: closedObject({ column: columnField }),
  failures,
  async answer(context, { name, column }) {
    const { file } = await fileOf(context, name)
    if (file === undefined) throw wrongField('column', 'The file was deleted. Upload it again.')
    return storeSites(context, name, file.content, column)
  },
})

async function fileOf(context: SessionContext, name: string) {
  const { world } = context
  const { id } = await findPortfolio({ world, caller: accountOf(context) }, name)
  return { id, file: await readPortfolioFile(world.database, id) }
}

async function storeSites(context: SessionContext, name: string, content: Buffer, wanted?: string) {
  const { sites, ...read } = await readSitesApart(content, wanted).catch(asProblem)
  const sent = { operation: putPortfolio.name, params: { name }, body: { domains: sites } }
  const stored = dataOf(await context.send(sent)) as Static<typeof putPortfolio.data>
  const { id } = await fileOf(context, name)
  const file = { content, site_column: read.number, uploaded_at: context.now }
  await storePortfolioFile(context.world.database, id, file)
  const { unresolved } = stored
  const shown = unresolved.slice(0, unresolvedShownMax)
  return { ...stored, ...read, rows: sites.length, unresolved: shown, unresolved_count: unresolved.length }
}

function asProblem(error: unknown): never {
  throw error instanceof Refusal ? wrongField('file', error.message) : error
}

const titles = ['Verdict', 'Licensed in', 'Blocked in', 'Known at', 'Note']
const notes: Readonly<Record<string, string>> = {
  no_record: 'no regulator record is stored, which does not mean that the site is unlicensed',
}
const membersAtOnce = 5_000

export const downloadPortfolio = defineSessionOperation({
  name: 'download_portfolio',
  method: 'GET',
  path: `${path}/download`,
  access,
  summary: 'The file of a portfolio with verdicts as columns, or its sites once the file was deleted',
  params,
  failures: ['not_found'],
  async answer(context, { name }) {
    const { id, file } = await fileOf(context, name)
    const cells = await cellsOf(context, id)
    const content = file?.content ?? Buffer.from(['Site', ...cells.keys()].join('\n'))
    const extended = await extendTableApart(content, file && String(file.site_column), { titles, cells })
    const [ending, contentType] = extended.isWorkbook
      ? ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet']
      : ['csv', 'text/csv; charset=utf-8']
    const bytes = Buffer.from(extended.bytes)
    const fileName = `${name}-${context.now.toISOString().slice(0, 10)}.${ending}`
    return new Attachment({ ...memoryFile(bytes), fileName, contentType })
  },
})

/** Returns the added cells by site. Reading in steps leaves time for other requests. */
async function cellsOf(context: SessionContext, portfolioId: number) {
  const cells = new Map<string, string[]>()
  for (let after = 0, isLast = false; !isLast; ) {
    const rows = await readScreened(context.world.database, { portfolioId, after }, membersAtOnce)
    for (const { domain, verdict, licensed_in, blocked_in, known_at } of rows)
      cells.set(domain, [
        verdict?.replaceAll('_', ' ') ?? '',
        marketNames(licensed_in),
        marketNames(blocked_in),
        known_at?.toISOString() ?? '',
        verdict === null ? 'not screened yet' : (notes[verdict] ?? ''),
      ])
    after = rows.at(-1)?.id ?? after
    isLast = rows.length < membersAtOnce
    await setImmediate()
  }
  return cells
}

const marketNames = (codes: readonly string[] | null) =>
  (codes ?? []).map(code => findMarket(code)?.name ?? code).join(', ')
