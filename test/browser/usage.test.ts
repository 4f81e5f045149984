import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'

describePages(
  'usage and statement',
  () => startService({ world: 'demo', isReachable: true }),
  site => {
    async function billing() {
      const customer = await site.service.customer()
      for (let count = 0; count < 12; count += 1) await customer.ask('/v1/account')
      await customer.ask('/v1/domains/resolve?domain=luckyotter.example')
      await site.service.service.usage.flush()
      return { accountRef: customer.accountRef, role: 'billing' } as const
    }

    site.journey('a customer finds a request and opens its bill', async ({ visit, press, choose, look }) => {
      const visitor = await visit(await billing())
      const { page } = visitor
      await visitor.open('/dashboard/usage')
      await press(page.getByRole('link', { name: 'Next →' }))
      await page.getByRole('link', { name: '← Previous' }).waitFor()
      await press(page.getByRole('link', { name: 'The latest 50 in brief' }))
      await page.waitForURL('**/usage?view=compact')
      await look(visitor, 'usage-compact')
      await press(page.getByRole('link', { name: 'All requests, with filters and the chart' }))
      await choose(page.getByLabel('Chart', { exact: true }), '90')
      await choose(page.getByLabel('Endpoint', { exact: true }), 'resolve_domain')
      await press(page.getByRole('button', { name: 'Filter' }))
      await page.waitForURL(/endpoint=resolve_domain.*chart_days=90/)
      await press(page.getByText('The chart as a table'))
      await look(visitor, 'usage-filtered')
      await press(page.getByRole('row', { name: /Verdict of a site.*200/ }).getByRole('link'))
      await page.getByRole('cell', { name: 'Verdict of a site', exact: true }).waitFor()
      await look(visitor, 'usage-record')
    })

    site.journey(
      'a customer reads and downloads the statement of a month',
      async ({ visit, press, type, look }) => {
        const visitor = await visit(await billing())
        const { page } = visitor
        await visitor.open('/dashboard/statement')
        await type(page.getByLabel('From (UTC)'), '2026-01-01')
        await press(page.getByRole('button', { name: 'Show' }))
        await page.waitForURL('**/statement?from=2026-01-01*')
        await page.getByRole('cell', { name: 'Verdict of a site', exact: true }).waitFor()
        await press(page.getByRole('link', { name: 'Credits', exact: true }))
        await page.waitForURL('**/statement?from=2026-01-01&sort=-credits')
        expect(await page.locator('tbody tr').first().textContent()).toContain('+')
        await look(visitor, 'statement')
        const downloading = page.waitForEvent('download')
        await press(page.getByRole('link', { name: 'Download these days as CSV' }))
        expect(await readFile(await (await downloading).path(), 'utf8')).toContain('domain.verdict')
        await press(page.getByRole('link', { name: 'Verdict of a site' }))
        await page.getByRole('heading', { name: 'A request' }).waitFor()
      },
    )
  },
)
