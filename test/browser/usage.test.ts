import { expect, test } from 'vitest'
import { generateUsage } from '../../bench/generate-usage-store.ts'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'
import { press } from './keyboard.ts'

describePages(
  'usage and statement',
  () => startService({ world: 'demo', isReachable: true }),
  site => {
    let accountRef: Promise<string>
    async function busy() {
      accountRef ??= generateUsage(site.service.service.live, 4_000)
      return site.visit({ as: { accountRef: await accountRef, email: 'ada@bank.test' } })
    }

    test('months of requests look as they should', async () => {
      const visitor = await busy()
      const { page, open } = visitor
      await open('/dashboard')
      await inspect(visitor, 'overview-busy')
      await open('/dashboard/usage?per_page=25')
      await page.getByText('The chart as a table').click()
      await inspect(visitor, 'usage-busy')
    })

    test('90 days, the compact list and the statement look as they should, on paper too', async () => {
      const visitor = await busy()
      const { page, open } = visitor
      await open('/dashboard/usage?chart_days=90')
      await inspect(visitor, 'usage-90-days')
      await press(page, page.getByRole('link', { name: 'The latest 50 in brief' }))
      await page.getByRole('link', { name: 'All requests' }).waitFor()
      await inspect(visitor, 'usage-compact')
      await open('/dashboard/statement')
      await inspect(visitor, 'statement-busy')
      await page.emulateMedia({ media: 'print' })
      expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
      await page.screenshot({ path: 'test-results/screenshots/statement-printed.png', fullPage: true })
    })

    test.each([true, false])('a request is found and its bill opened, scripts: %s', async hasScripts => {
      const customer = await site.service.customer()
      for (let count = 0; count < 12; count += 1) await customer.ask('/v1/account')
      await customer.ask('/v1/domains/resolve?domain=luckyotter.example')
      await site.service.service.usage.flush()
      const visitor = await site.visit({
        as: { accountRef: customer.accountRef, role: 'billing' },
        hasScripts,
      })
      const { page } = visitor
      await visitor.open('/dashboard/usage')
      if (hasScripts) await inspect(visitor, 'usage')
      await page.getByLabel('Endpoint', { exact: true }).selectOption('resolve_domain')
      await press(page, page.getByRole('button', { name: 'Filter' }))
      await page.waitForURL(/endpoint=resolve_domain/)
      await press(page, page.getByRole('row', { name: /resolve_domain/ }).getByRole('link'))
      await page.getByRole('cell', { name: 'domain.verdict' }).waitFor()
      if (hasScripts) await inspect(visitor, 'usage-record')
      await visitor.open('/dashboard/statement')
      await page.getByRole('cell', { name: 'domain.verdict' }).waitFor()
      if (hasScripts) await inspect(visitor, 'statement')
      await press(page, page.getByRole('link', { name: 'resolve_domain' }))
      await page.getByRole('heading', { name: 'A request' }).waitFor()
    })
  },
)
