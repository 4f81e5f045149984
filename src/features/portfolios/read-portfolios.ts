import { Type } from 'typebox'
import { closedObject, namedObject } from '../../core/schema.ts'
import { type Context, defineOperation } from '../operation.ts'
import deleteExample from './delete-portfolio.example.json' with { type: 'json' }
import { demoPortfolio } from './demo-portfolio.ts'
import getExample from './get-portfolio.example.json' with { type: 'json' }
import listExample from './list-portfolios.example.json' with { type: 'json' }
import { deletePortfolio, lastChangeNumber, type PortfolioRow, readPortfolios } from './portfolios-store.ts'
import { params, portfolioMembers, portfoliosMax, unknownPortfolio } from './schemas.ts'

const common = {
  query: closedObject({}),
  tag: 'Portfolios',
  section: 'contract section 19',
  prices: [],
} as const

const describe = (
  { id: _, created_after: __, created_at, changed_at, ...row }: PortfolioRow,
  position: number,
) => ({
  ...row,
  position,
  created_at: created_at.toISOString(),
  changed_at: changed_at.toISOString(),
})

export const listPortfolios = defineOperation({
  ...common,
  name: 'list_portfolios',
  method: 'GET',
  path: '/v1/portfolios',
  summary: 'List your portfolios',
  description: 'The portfolios of your account by name, without their members.',
  data: closedObject({
    portfolios: Type.Array(namedObject('Portfolio', portfolioMembers), { maxItems: portfoliosMax }),
  }),
  failures: [],
  demo: [{ title: 'The portfolios of the demo account', query: {} }],
  example: listExample,

  quote: async ({ world, caller }) => ({
    ceiling: 0,
    deliver: async () => {
      const position = await lastChangeNumber(world.database)
      const rows = await readPortfolios(world.database, caller.accountId)
      return { data: { portfolios: rows.map(row => describe(row, position)) }, charges: [] }
    },
  }),
})

export const getPortfolio = defineOperation({
  ...common,
  name: 'get_portfolio',
  method: 'GET',
  path: '/v1/portfolios/{name}',
  summary: 'Show a portfolio',
  description: 'The size of a portfolio and the position of the feed of verdict changes.',
  params,
  recorded: [],
  data: closedObject(portfolioMembers),
  failures: ['not_found'],
  demo: [{ title: 'The portfolio of the demo account', query: {}, params: { name: demoPortfolio.name } }],
  example: getExample,

  quote: async (context, { name }) => ({
    ceiling: 0,
    deliver: async () => {
      const position = await lastChangeNumber(context.world.database)
      return { data: describe(await findPortfolio(context, name), position), charges: [] }
    },
  }),
})

export const removePortfolio = defineOperation({
  ...common,
  name: 'delete_portfolio',
  method: 'DELETE',
  path: '/v1/portfolios/{name}',
  summary: 'Delete a portfolio',
  description: 'Deletes a portfolio with its members.',
  params,
  recorded: [],
  data: closedObject({ name: Type.String() }),
  failures: ['not_found'],
  demo: [],
  example: deleteExample,

  quote: async ({ world, caller: { accountId } }, { name }) => ({
    ceiling: 0,
    deliver: async () => {
      if (!(await deletePortfolio(world.database, { accountId, name }))) throw unknownPortfolio(name)
      return { data: { name }, charges: [] }
    },
  }),
})

/** Returns a portfolio of the caller. One of another account is missing, too. */
export async function findPortfolio(
  { world, caller }: Pick<Context, 'world' | 'caller'>,
  name: string,
): Promise<PortfolioRow> {
  const [row] = await readPortfolios(world.database, caller.accountId, name)
  if (row === undefined) throw unknownPortfolio(name)
  return row
}
