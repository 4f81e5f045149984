import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { startExportService } from '../../src/features/exports/fixture.ts'
import { describePages } from './describe-pages.ts'

describePages(
  'exports',
  () => startExportService({ isReachable: true }),
  site => {
    site.journey(
      'a customer sees the price of an export, orders and downloads it',
      async ({ visit, press, choose, tick, look, hasScripts }) => {
        const { accountRef } = await site.service.customer()
        const visitor = await visit({ accountRef, role: 'member' })
        const { page, open } = visitor
        await open('/dashboard/exports')
        await look(visitor, 'exports-empty')
        await choose(page.getByLabel('Licensed in'), 'mga')
        await choose(page.getByLabel('Format'), 'json')
        await tick(page.getByLabel('Licenses'))
        await press(page.getByRole('button', { name: 'Show the price (free)' }))
        await page.getByRole('heading', { name: 'The price of this export' }).waitFor()
        await look(visitor, 'exports-price')
        await press(page.getByRole('button', { name: /Export for at most/ }))
        await page.getByText('The file is being written').waitFor()
        await look(visitor, 'exports-waiting')
        await site.service.write()
        const link = page.getByRole('link', { name: 'Download the JSON' })
        // With scripts the page shows the file without a click.
        if (!hasScripts) await press(page.getByRole('link', { name: 'Look again' }))
        await link.waitFor()
        await look(visitor, 'exports-ready')
        const downloading = page.waitForEvent('download')
        await press(link)
        const file = await readFile(await (await downloading).path(), 'utf8')
        expect(file).toContain('licenses')
        await press(page.getByRole('link', { name: 'Exports' }))
        await page.getByText('✓ completed').waitFor()
        await look(visitor, 'exports')
      },
    )
  },
)
