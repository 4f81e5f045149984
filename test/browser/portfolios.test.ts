import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { workbook } from '../../packages/tables/test/make-files.ts'
import { createLogger } from '../../src/config/logger.ts'
import { screenPortfolios } from '../../src/instance/tasks/screening-tasks.ts'
import { startWorker } from '../../src/jobs/index.ts'
import { authorisation, day, fakeStream, fileOf, syncApproved } from '../../src/registers/fixture.ts'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The rows of a bank's list of merchants. */
const merchants = [
  ['Merchant', 'Payout account', 'Web shop'],
  ['Lucky Otter Ltd', 'GB29-101', 'https://www.luckyotter.example/x'],
  ['Red Kite', 'IT60-102', 'redkite-casino.example'],
  ['Two Faces', 'MT84-103', 'twofaced.example'],
  ['New Shop', 'DE89-104', 'new.example'],
  ['Unknown & Sons', 'FR14-105', '?'],
]

const rowXml = (cells: readonly string[], row: number) =>
  `<row r="${row + 1}">${cells
    .map((text, column) => {
      const escaped = text.replaceAll('&', '&amp;')
      return `<c r="${'ABC'[column]}${row + 1}" t="inlineStr"><is><t>${escaped}</t></is></c>`
    })
    .join('')}</row>`

const file = () => ({
  name: 'merchants.xlsx',
  mimeType: xlsx,
  buffer: Buffer.from(workbook({ Merchants: merchants.map(rowXml).join('') })),
})

describePages(
  'portfolios',
  async () => {
    const service = await startService({ world: 'demo_with_registers', isReachable: true })
    const { now } = service.service
    const log = createLogger('silent')
    const tasks = [screenPortfolios({ now })]
    const worker = await startWorker({ connection: service.database.connection, tasks, log })
    const close = async () => {
      await worker.stop()
      await service.close()
    }
    return { ...service, close }
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
      'an analyst screens an Excel file, downloads it with verdicts, and shows an auditor a dossier',
      async ({ visit, press, type, choose, look, way, hasScripts }) => {
        const { accountRef } = await site.service.customer({ credits: 10_000 })
        const name = `merchants-${way.length}`
        const visitor = await visit({ accountRef, role: 'member' })
        const { page } = visitor
        await list()
        await visitor.open('/dashboard/portfolios')
        if (!(await page.getByLabel('Name').isVisible())) await press(page.getByText('Upload a list').first())
        await look(visitor, 'portfolios')
        await type(page.getByLabel('Name'), name)
        await page.getByLabel('File').setInputFiles(file())
        await press(page.getByRole('button', { name: 'Upload (free)' }))
        await page.getByText('4 sites: 4 added, 0 removed.').waitFor()
        await choose(page.getByLabel('Column of sites'), '3')
        await press(page.getByRole('button', { name: 'Read this column' }))
        await page.getByText('4 sites: 0 added, 0 removed.').waitFor()
        await look(visitor, 'portfolios-uploaded')
        await press(page.getByRole('link', { name: 'Open the portfolio' }))
        await look(visitor, 'portfolio-unscreened')
        await press(page.getByRole('button', { name: 'Screen 4 sites for 4 credits' }))
        const done = page.getByRole('button', { name: 'Screen 4 sites again for 4 credits' })
        await page
          .getByText(/of 4 sites screened|All sites are screened/)
          .first()
          .waitFor()
        for (let times = 0; !hasScripts && times < 20 && !(await done.isVisible()); times += 1)
          await visitor.open(`/dashboard/portfolios/${name}`)
        await done.waitFor()
        await list('new.example')
        await press(page.getByRole('button', { name: /^Read what changed for at most/ }))
        await page.getByRole('cell', { name: 'register' }).first().waitFor()
        await look(visitor, 'portfolio')

        const downloading = page.waitForEvent('download')
        await press(page.getByRole('link', { name: 'Download your file with the verdicts' }))
        const downloaded = await downloading
        expect(downloaded.suggestedFilename()).toMatch(/^merchants-\d+-\d{4}-\d\d-\d\d\.xlsx$/)
        expect((await readFile(await downloaded.path())).subarray(0, 2).toString()).toBe('PK')

        await press(page.getByRole('link', { name: /^blocklisted/ }))
        await press(page.getByRole('link', { name: 'redkite-casino.example' }).first())
        await press(page.getByRole('button', { name: /^Show the verdict for/ }))
        await press(page.getByRole('link', { name: /dossier/i }).first())
        await page
          .getByRole('heading', { name: /redkite-casino\.example/ })
          .first()
          .waitFor()
        await look(visitor, 'portfolio-dossier')

        await visitor.open(`/dashboard/portfolios/${name}`)
        await press(page.getByRole('button', { name: 'Delete the portfolio' }))
        await page.waitForURL('**/dashboard/portfolios')
      },
    )
  },
)
