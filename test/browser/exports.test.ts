import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startExportService } from '../../src/features/exports/fixture.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'
import { press } from './keyboard.ts'

describePages(
  'exports',
  () => startExportService({ isReachable: true }),
  site => {
    test.each([true, false])(
      'one is priced, ordered and downloaded by keyboard alone, scripts: %s',
      async hasScripts => {
        const { accountRef } = await site.service.customer()
        const { page, open } = await site.visit({ as: { accountRef, role: 'member' }, hasScripts })
        await open('/dashboard/exports')
        await press(page, page.getByRole('button', { name: 'Show the price (free)' }))
        await press(page, page.getByRole('button', { name: /Export for at most/ }))
        await page.getByText('The file is being written').waitFor()
        await site.service.write()
        const link = page.getByRole('link', { name: 'Download the CSV' })
        // With scripts the page shows the file by itself.
        if (!hasScripts) await press(page, page.getByRole('link', { name: 'Look again' }))
        await link.waitFor()
        const downloading = page.waitForEvent('download')
        await press(page, link)
        const file = await (await downloading).path()
        expect((await readFile(file, 'utf8')).split('\r\n')[0]).toContain('domain')
      },
    )

    test('the list, the price and an export look as they should', async () => {
      const { accountRef } = await site.service.customer()
      const visitor = await site.visit({ as: { accountRef, role: 'member' } })
      const { page, open } = visitor
      await open('/dashboard/exports')
      await inspect(visitor, 'exports-empty')
      await page.getByRole('button', { name: 'Show the price (free)' }).click()
      await inspect(visitor, 'exports-price')
      await page.getByRole('button', { name: /Export for at most/ }).click()
      await inspect(visitor, 'exports-waiting')
      await site.service.write()
      await page.getByRole('link', { name: 'Download the CSV' }).waitFor()
      await inspect(visitor, 'exports-ready')
      await open('/dashboard/exports')
      await inspect(visitor, 'exports')
    })
  },
)
