import { authorisation, day, fakeStream, fileOf, syncApproved } from '../../src/registers/fixture.ts'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'

const table =
  'Shop;Site\nOne;https://www.luckyotter.example/x\nTwo;redkite-casino.example\nThree;new.example\nFour;?\n'

describePages(
  'portfolios',
  async () => {
    const service = await startService({ world: 'demo_with_registers', isReachable: true })
    const customer = await service.customer({ credits: 10_000 })
    return { ...service, account: customer }
  },
  site => {
    let changes = 0
    const list = (...sites: string[]) => {
      changes += 1
      const rows = ['always.example', ...sites].map(each => authorisation(each))
      const at = { takenAt: day(changes), now: day(changes) }
      return syncApproved(site.service.service.live, fakeStream('malta.sites'), [fileOf(...rows)], at)
    }

    site.journey(
      'a person uploads merchants, sees their verdicts and what changed',
      async ({ visit, press, type, look, way }) => {
        const name = `merchants-${way.length}`
        const visitor = await visit({ accountRef: site.service.account.accountRef, role: 'member' })
        const { page } = visitor
        await list()
        await visitor.open('/dashboard/portfolios')
        if (!(await page.getByLabel('Name').isVisible())) await press(page.getByText('Upload a list').first())
        await look(visitor, 'portfolios')
        await type(page.getByLabel('Name'), name)
        const file = { name: 'sites.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
        await page.getByLabel('File').setInputFiles(file)
        await press(page.getByRole('button', { name: 'Upload (free)' }))
        await page.getByText('3 sites: 3 added, 0 removed.').waitFor()
        await look(visitor, 'portfolios-uploaded')
        await press(page.getByRole('link', { name: 'Open the portfolio' }))
        await press(page.getByRole('button', { name: 'Show the sites with verdicts for 3 credits' }))
        await page.getByText('✕ blocklisted').waitFor()
        await list('new.example')
        await press(page.getByRole('button', { name: /^Read what changed for at most/ }))
        await page.getByRole('heading', { name: 'What changed' }).waitFor()
        await page.getByRole('cell', { name: 'register' }).first().waitFor()
        await look(visitor, 'portfolio')
        await press(page.getByRole('button', { name: 'Delete the portfolio' }))
        await page.waitForURL('**/dashboard/portfolios')
      },
    )
  },
)
