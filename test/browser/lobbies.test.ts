import { demoRun } from '../../src/features/lobbies/demo-run.ts'
import { startLobbyService } from '../../src/features/lobbies/fixture.ts'
import { describePages } from './describe-pages.ts'

/** The lobby of the demo, and the same a day before: without a new game, in another order. */
const { sections, games } = demoRun
const after = { sections, games }
const before = {
  sections,
  games: (games ?? [])
    .filter(({ title }) => title !== 'Mayfly Megastacks')
    .map(game => {
      if (game.title === 'Reed Runner') return { ...game, position: 1 }
      return game.section === 0 && game.position < 6 ? { ...game, position: game.position + 1 } : game
    }),
}

describePages(
  'lobbies',
  async () => {
    const service = await startLobbyService({ isReachable: true })
    const customer = await service.customer({ credits: 10_000 })
    return { ...service, account: customer }
  },
  site =>
    site.journey(
      'a supplier sees its games in a lobby, its share and what changed',
      async ({ visit, press, type, look, way }) => {
        const { account, end, run } = site.service
        const domain = `lobby-${way.length}-${Date.now()}.example`
        await run(account, { domain, max_age_minutes: 0 })
        await end(before)
        const visitor = await visit({ accountRef: account.accountRef, role: 'member' })
        const { page } = visitor
        await visitor.open('/dashboard/lobbies')
        await look(visitor, 'lobbies')
        await type(page.getByLabel('Site'), domain)
        await type(page.getByLabel('Suppliers, separated by commas'), 'Velvet Anvil, Tin Heron')
        await press(page.getByRole('button', { name: 'See the lobby for at most 10 credits' }))
        await page.getByText('A browser visits the site').waitFor()
        await look(visitor, 'lobby-running')
        await end(after)
        await visitor.open(new URL(page.url()).pathname)
        await page.getByRole('heading', { name: 'Shares' }).waitFor()
        await page.getByRole('heading', { name: 'What changed' }).waitFor()
        await look(visitor, 'lobby')
        await press(page.getByRole('link', { name: 'Brass Turnip' }))
        await page.getByText('Brass Turnip has 6 of 28 titles').waitFor()
        await press(page.getByRole('button', { name: 'Compare' }))
        await page.getByText('Brass Turnip has 6 of 28 titles').waitFor()
        await page.getByText('Mayfly Megastacks').first().waitFor()
      },
    ),
)
