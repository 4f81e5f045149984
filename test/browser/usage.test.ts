import { test } from 'vitest'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'
import { press } from './keyboard.ts'

describePages(
  'usage and statement',
  () => startService({ world: 'demo', isReachable: true }),
  site => {
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
    })
  },
)
